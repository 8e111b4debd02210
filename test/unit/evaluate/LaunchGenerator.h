//===- LaunchGenerator.h - Draws random launches ----------------*- C++ -*-===//

#ifndef WARPWISE_TEST_UNIT_EVALUATE_LAUNCHGENERATOR_H
#define WARPWISE_TEST_UNIT_EVALUATE_LAUNCHGENERATOR_H

#include "test/unit/evaluate/ExpressionGenerator.h"

namespace warpwise::test {

/// A launch whose grid is so small that every block of it is run. Its block has
/// at least \p LeastThreadsX threads in a row.
KernelLaunch drawLaunch(Dice &Random, const std::vector<unsigned> &ArgumentBits,
                        unsigned LeastThreadsX);

} // namespace warpwise::test

#endif // WARPWISE_TEST_UNIT_EVALUATE_LAUNCHGENERATOR_H

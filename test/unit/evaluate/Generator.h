//===- Generator.h - Draws random kernels -----------------------*- C++ -*-===//
//
// Index arithmetic, guards and loops as CUDA code has them, put together at
// random. The same seed gives the same kernel on every machine.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_TEST_UNIT_EVALUATE_GENERATOR_H
#define WARPWISE_TEST_UNIT_EVALUATE_GENERATOR_H

#include "test/unit/evaluate/GeneratedKernel.h"

namespace warpwise::test {

/// A kernel whose addresses and guards follow from its launches alone.
GeneratedKernel drawKernel(uint64_t Seed);

/// A kernel with one access whose index, guard or loop rests on what each
/// thread loads from memory.
GeneratedKernel drawDataDependentKernel(uint64_t Seed);

} // namespace warpwise::test

#endif // WARPWISE_TEST_UNIT_EVALUATE_GENERATOR_H

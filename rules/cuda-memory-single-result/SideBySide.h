//===- SideBySide.h - Windows that slide from lane to lane ------*- C++ -*-===//

#ifndef WARPWISE_RULES_SINGLE_RESULT_SIDEBYSIDE_H
#define WARPWISE_RULES_SINGLE_RESULT_SIDEBYSIDE_H

#include "rules/Rule.h"

namespace warpwise::rules {

/// Reports where the lanes of \p Kernel each load a window of neighbouring
/// elements from global or shared memory, of which the next lane loads most
/// again.
void checkSideBySide(const access::Kernel &Kernel,
                     const profile::Profile &Device, const Sink &Report);

} // namespace warpwise::rules

#endif // WARPWISE_RULES_SINGLE_RESULT_SIDEBYSIDE_H

//===- DeviceLimits.h - What no GPU has room for ----------------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_LOWERING_DEVICELIMITS_H
#define WARPWISE_ANALYZER_LOWERING_DEVICELIMITS_H

#include <string>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace warpwise::lowering {

/// What in \p Kernel no GPU has room for, or no code can be generated for, as
/// one clause: "a private variable has 1048576 bytes, a thread at most 524288".
/// Empty when there is nothing. Passes and code generators do not survive all
/// of it, so it is to be asked before them, of inlined kernels.
std::string exceedsDevice(const llvm::Function &Kernel);

/// Empties the kernels of \p M that would have more instructions than can be
/// worked on once all they call is inlined, and marks them, so that
/// exceedsDevice() says so: functions that are called from several places, and
/// call others from several, multiply.
void emptyOversized(llvm::Module &M);

} // namespace warpwise::lowering

#endif // WARPWISE_ANALYZER_LOWERING_DEVICELIMITS_H

//===- Instrument.h - Makes kernels run and report on the host --*- C++ -*-===//
//
// Turns device IR, with everything inlined but otherwise as Clang emits it,
// into IR for this machine: what only a GPU has becomes a call of HostCalls.h,
// and each access that may reach memory shared by threads reports its address.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_EXECUTION_INSTRUMENT_H
#define WARPWISE_ANALYZER_EXECUTION_INSTRUMENT_H

#include "analyzer/execution/LaneTrace.h"

#include <map>
#include <optional>

namespace llvm {
class DILocation;
class Instruction;
class Module;
} // namespace llvm

namespace warpwise::execution {

/// A variable that lives in the compiled module.
struct HostVariable {
  std::string Symbol;
  std::string Name; ///< in the device code
  uint64_t Bytes = 0;
  access::Space Memory = access::Space::Global;
  /// The code says what is in it, and not just zeros.
  bool HasContents = false;
};

struct Instrumented {
  Numbering Numbers;
  std::vector<HostVariable> Variables;
  /// The symbol to call for each kernel, by mangled name.
  std::map<std::string, std::string> Drivers;
};

/// What a run has to know beyond the accesses to memory that threads share.
struct Wishes {
  /// Accesses to private variables whose name begins with this are reported
  /// too; empty: none are.
  std::string LocalMemory;
  /// A call without a counterpart stays a call, by the name that unknownCall()
  /// gives it, instead of yielding zero.
  bool UnknownCalls = false;
};

/// "scan.cu:12:7 < scan.cu:30:3", from the innermost call outwards.
std::string placeOf(const llvm::DILocation *Location);

/// Rewrites \p M, which lowering::inlineIntoKernels() has been run on. The
/// target is left to the caller.
Instrumented instrument(llvm::Module &M, const Wishes &Wanted = {});

} // namespace warpwise::execution

#endif // WARPWISE_ANALYZER_EXECUTION_INSTRUMENT_H

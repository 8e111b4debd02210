//===- Instrument.h - Makes kernels run and report on the host --*- C++ -*-===//
//
// Turns device IR, with everything inlined but otherwise as Clang emits it,
// into IR for this machine: what only a GPU has becomes a call of HostCalls.h,
// and each access that may reach memory shared by threads reports its address.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_TEST_ORACLE_INSTRUMENT_H
#define WARPWISE_TEST_ORACLE_INSTRUMENT_H

#include "Trace.h"

#include <map>

namespace llvm {
class DILocation;
class Module;
} // namespace llvm

namespace warpwise::oracle {

/// A variable that lives in the compiled module.
struct HostVariable {
  std::string Symbol;
  uint64_t Bytes = 0;
  access::Space Memory = access::Space::Global;
};

struct Instrumented {
  Numbering Numbers;
  std::vector<HostVariable> Variables;
  /// The symbol to call for each kernel, by mangled name.
  std::map<std::string, std::string> Drivers;
};

/// "scan.cu:12:7 < scan.cu:30:3", from the innermost call outwards.
std::string placeOf(const llvm::DILocation *Location);

/// Rewrites \p M, which lowering::inlineIntoKernels() has been run on. The
/// target is left to the caller.
Instrumented instrument(llvm::Module &M);

} // namespace warpwise::oracle

#endif // WARPWISE_TEST_ORACLE_INSTRUMENT_H

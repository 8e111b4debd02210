//===- AddressSlice.h - What of a kernel decides addresses ------*- C++ -*-===//
//
// Cuts an instrumented kernel down to the instructions that its addresses and
// its control flow need. Everything else, most loads and all stores among it,
// leaves nothing but the report of the address.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_REUSE_LANECODE_ADDRESSSLICE_H
#define WARPWISE_ANALYZER_REUSE_LANECODE_ADDRESSSLICE_H

#include "analyzer/execution/Instrument.h"

#include "llvm/IR/Module.h"

#include <memory>
#include <set>
#include <string>

namespace warpwise::reuse {

/// `void warpwise.event(i32 Position, i64 Payload)`: reports an address, a
/// barrier or a witness.
inline constexpr llvm::StringLiteral EventCall = "warpwise.event";
/// `i32 warpwise.register(i32 Number)`: a special register.
inline constexpr llvm::StringLiteral RegisterCall = "warpwise.register";
/// `i1 warpwise.inside(ptr, ptr Object, i64 Size, i64 Bytes)`: guards a load
/// that the data could lead astray. Null objects stand for the buffers.
inline constexpr llvm::StringLiteral InsideCall = "warpwise.inside";

/// What the loads that are left in a slice read: memory whose contents decide
/// addresses.
struct Objects {
  std::set<unsigned> Arguments;    ///< buffers, by the pointer's number
  std::set<unsigned> Structs;      ///< by-value arguments
  std::set<std::string> Variables; ///< symbols, see execution::HostVariable
  bool Unknown = false;            ///< some buffer, which one is not known

  /// True when some memory may be in both.
  bool meets(const Objects &Other) const;

  bool empty() const {
    return Arguments.empty() && Structs.empty() && Variables.empty() &&
           !Unknown;
  }
};

struct AddressSlice {
  std::unique_ptr<llvm::Module> M;
  execution::Instrumented Code;
  Objects Read;    ///< by the slice
  Objects Written; ///< by the whole kernel
  /// The place of a load that is left, for messages.
  access::Place FirstLoad;
  uint64_t FrameBytes = 0; ///< of all private arrays
  /// Threads have to run side by side: a value that another thread made, by a
  /// shuffle, a vote or through memory of the block, decides addresses.
  bool NeedsOthers = false;
  /// The slice stores to other memory than private arrays, in which all its
  /// accesses are kept inside.
  bool WritesMemory = false;
  /// A call without a counterpart that decides addresses; empty for none.
  std::string UnknownCall;
};

/// Slices \p Kernel of the optimised module \p M.
AddressSlice sliceKernel(const llvm::Module &M, llvm::StringRef Kernel);

} // namespace warpwise::reuse

#endif // WARPWISE_ANALYZER_REUSE_LANECODE_ADDRESSSLICE_H

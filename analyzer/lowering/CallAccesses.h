//===- CallAccesses.h - Accesses that are calls or assembly -----*- C++ -*-===//
//
// cp.async, and loads and stores that the source writes as inline assembly.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_LOWERING_CALLACCESSES_H
#define WARPWISE_ANALYZER_LOWERING_CALLACCESSES_H

#include "analyzer/model/AccessModel.h"

#include "llvm/ADT/SmallVector.h"

#include <string>

namespace llvm {
class CallInst;
class Value;
} // namespace llvm

namespace warpwise::lowering {

/// One memory operand of a call.
struct CallAccess {
  const llvm::Value *Pointer = nullptr; ///< or an integer that holds one
  int64_t Offset = 0;                   ///< bytes, from "[%1+16]"
  /// Unset: the pointer's own.
  std::optional<access::Space> Memory;
  access::Operation Op = access::Operation::Load;
  unsigned Bytes = 0;
  access::Access::Kind Sort = access::Access::Kind::Plain;
  uint32_t Lanes = ~0u; ///< lanes whose address counts (ldmatrix.x1: eight)
};

/// The bytes that an asynchronous copy's intrinsic moves from its second
/// operand in global memory to its first in shared memory; 0 for other calls.
unsigned asyncCopyBytes(const llvm::CallInst &Call);

/// The accesses of an asynchronous copy, or of inline assembly that consists of
/// ld, st, red, atom, ldmatrix or cp.async; empty for other calls. \p Unread is
/// set to the opcode of a statement whose accesses are not understood.
llvm::SmallVector<CallAccess, 2> callAccesses(const llvm::CallInst &Call,
                                              std::string *Unread = nullptr);

/// Appends what the addresses of \p Call depend on; false when it makes no
/// access (also looks for matrix fragments).
bool addressOperands(const llvm::CallInst &Call,
                     llvm::SmallVectorImpl<const llvm::Value *> &Operands);

} // namespace warpwise::lowering

#endif // WARPWISE_ANALYZER_LOWERING_CALLACCESSES_H

//===- PtxStatement.h - Inline assembly, statement by statement -*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_LOWERING_PTXSTATEMENT_H
#define WARPWISE_ANALYZER_LOWERING_PTXSTATEMENT_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace warpwise::lowering {

/// "@!p ld.global.v2.f32 {$0, $1}, [$2+8]". Views the text it was read from.
struct PtxStatement {
  llvm::StringRef Guard; ///< "p"; empty: always
  bool GuardNegated = false;
  llvm::StringRef Opcode;
  llvm::SmallVector<llvm::StringRef, 8> Words;    ///< of the opcode
  llvm::SmallVector<llvm::StringRef, 6> Operands; ///< braces, brackets kept

  bool has(llvm::StringRef Word) const;
};

/// The text without comments; statements refer to it.
std::string withoutComments(llvm::StringRef Text);

/// The statements of \p Text, labels and declarations among them.
llvm::SmallVector<PtxStatement, 4> ptxStatements(llvm::StringRef Text);

/// True when the statement may access global memory, or memory that it does not
/// name, other than as a hint.
bool mayAccessGlobal(const PtxStatement &S);

/// True when the statement loads from or stores to memory that lanes share, in
/// whatever space.
bool accessesMemory(const PtxStatement &S);

/// Bits of one element: 32 for "f32", and how many: 4 for "v4". 0 bits: no type
/// is given.
struct PtxType {
  unsigned Bits = 0, Count = 1;
  bool Signed = false, Real = false;
};
PtxType typeOf(const PtxStatement &S);

} // namespace warpwise::lowering

#endif // WARPWISE_ANALYZER_LOWERING_PTXSTATEMENT_H

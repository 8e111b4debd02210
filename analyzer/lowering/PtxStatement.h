//===- PtxStatement.h - Inline assembly, statement by statement -*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_LOWERING_PTXSTATEMENT_H
#define WARPWISE_ANALYZER_LOWERING_PTXSTATEMENT_H

#include "analyzer/model/AccessModel.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
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

/// What a statement does with memory.
enum class PtxMemory {
  None,
  Load,      ///< ld, ldu
  Store,     ///< st
  Reduction, ///< red
  Atomic,    ///< atom
  Copy,      ///< cp.async.ca, cp.async.cg
  Matrix,    ///< ldmatrix, stmatrix
  Prefetch,
  Other ///< bulk copies, textures, surfaces, calls ...
};
PtxMemory memoryOf(const PtxStatement &S);

/// The space that the statement names; that of its address otherwise.
std::optional<access::Space> spaceOf(const PtxStatement &S);

/// "$3" or "${3:x}": the number of an operand of the call.
std::optional<unsigned> operandNumber(llvm::StringRef Text);

/// "[$1+16]".
struct PtxAddress {
  llvm::StringRef Base;
  llvm::StringRef Offset; ///< "16", "-16", "$2"; may be empty
};
std::optional<PtxAddress> addressIn(llvm::StringRef Operand);

/// "cp.async.cg.shared.global [to], [from], 16, $3" as operands.
struct PtxCopy {
  llvm::StringRef To, From, Bytes;
  /// Bytes that are read, or the predicate that nothing is; empty: all are.
  llvm::StringRef Reads;
  bool PastL1 = false;
};
/// Of a statement that is a copy and has all its operands.
std::optional<PtxCopy> copyOf(const PtxStatement &S);

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

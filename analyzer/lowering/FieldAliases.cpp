//===- FieldAliases.cpp - Fields of records lie apart ---------------------===//
//
// A note says which record an access goes through and how far into it. A node
// of the notes is a name, then the types of the fields with their offsets; that
// of a scalar has one such pair, its parent's.
//
//===----------------------------------------------------------------------===//

#include "analyzer/lowering/FieldAliases.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Metadata.h"

#include <optional>

using namespace llvm;

namespace warpwise::lowering {

namespace {

struct Field {
  const MDNode *Outermost, *Record; ///< that the access goes through
  uint64_t Offset;
};

uint64_t numberAt(const MDNode &Node, unsigned N) {
  return mdconst::extract<ConstantInt>(Node.getOperand(N))->getZExtValue();
}

bool isRecord(const MDNode &Node) { return Node.getNumOperands() > 3; }

/// What \p Tag speaks of: a field of the innermost record.
std::optional<Field> fieldOf(const MDNode *Tag) {
  if (!Tag || Tag->getNumOperands() < 3)
    return std::nullopt;
  const auto *Record = dyn_cast<MDNode>(Tag->getOperand(0));
  if (!Record || !isRecord(*Record))
    return std::nullopt;
  const MDNode *Outermost = Record;
  uint64_t Offset = numberAt(*Tag, 2);
  while (true) {
    unsigned Its = 1;
    for (unsigned N = 1; N + 1 < Record->getNumOperands(); N += 2)
      if (numberAt(*Record, N + 1) <= Offset)
        Its = N;
    const auto *Inner = dyn_cast<MDNode>(Record->getOperand(Its));
    if (!Inner)
      return std::nullopt;
    const uint64_t Start = numberAt(*Record, Its + 1);
    if (!isRecord(*Inner))
      return Start == Offset ? std::optional(Field{Outermost, Record, Offset})
                             : std::nullopt;
    Record = Inner;
    Offset -= Start;
  }
}

} // namespace

AnalysisKey FieldAliases::Key;

AliasResult FieldAliasesResult::alias(const MemoryLocation &A,
                                      const MemoryLocation &B, AAQueryInfo &,
                                      const Instruction *) {
  const std::optional<Field> Its = fieldOf(A.AATags.TBAA),
                             Other = fieldOf(B.AATags.TBAA);
  return Its && Other && Its->Outermost == Other->Outermost &&
                 Its->Record == Other->Record && Its->Offset != Other->Offset
             ? AliasResult::NoAlias
             : AliasResult::MayAlias;
}

} // namespace warpwise::lowering

//===- PtxStatement.cpp - Inline assembly, statement by statement ---------===//

#include "analyzer/lowering/PtxStatement.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;

namespace warpwise::lowering {
namespace {

bool isSpace(char C) { return isspace(static_cast<unsigned char>(C)) != 0; }

/// Splits at commas that are in no braces or brackets.
SmallVector<StringRef, 6> splitOperands(StringRef Text) {
  SmallVector<StringRef, 6> Operands;
  int Depth = 0;
  size_t Begin = 0;
  for (size_t At = 0; At != Text.size(); ++At) {
    Depth += StringRef("{[(").contains(Text[At]);
    Depth -= StringRef("}])").contains(Text[At]);
    // "|" joins a shuffle's two results.
    if (Depth == 0 && (Text[At] == ',' || Text[At] == '|')) {
      Operands.push_back(Text.slice(Begin, At).trim());
      Begin = At + 1;
    }
  }
  if (const StringRef Last = Text.drop_front(Begin).trim(); !Last.empty())
    Operands.push_back(Last);
  return Operands;
}

PtxStatement readStatement(StringRef Text) {
  PtxStatement S;
  if (Text.consume_front("@")) {
    S.GuardNegated = Text.consume_front("!");
    S.Guard = Text.take_until(isSpace);
    Text = Text.drop_front(S.Guard.size()).trim();
  }
  S.Opcode = Text.take_until(isSpace);
  S.Opcode.split(S.Words, '.');
  S.Operands = splitOperands(Text.drop_front(S.Opcode.size()));
  return S;
}

} // namespace

bool PtxStatement::has(StringRef Word) const {
  return is_contained(Words, Word);
}

std::string withoutComments(StringRef Text) {
  std::string Kept;
  while (!Text.empty()) {
    if (Text.starts_with("//")) {
      Text = Text.drop_until([](char C) { return C == '\n'; });
    } else if (Text.starts_with("/*")) {
      const size_t End = Text.find("*/");
      Text = End == StringRef::npos ? "" : Text.drop_front(End + 2);
    } else {
      Kept += Text.front();
      Text = Text.drop_front();
    }
  }
  return Kept;
}

SmallVector<PtxStatement, 4> ptxStatements(StringRef Text) {
  SmallVector<PtxStatement, 4> Statements;
  SmallVector<StringRef, 8> Pieces;
  Text.split(Pieces, ';');
  for (StringRef Piece : Pieces) {
    // Braces around statements make a scope.
    Piece = Piece.ltrim(" \t\r\n{}").rtrim();
    for (size_t Colon; (Colon = Piece.find(':')) != StringRef::npos;) {
      const StringRef Label = Piece.take_front(Colon);
      if (Label.empty() || any_of(Label, isSpace) ||
          Piece.drop_front(Colon).starts_with("::") || Label.contains('.'))
        break;
      PtxStatement Mark;
      Mark.Opcode = "label";
      Mark.Words.push_back(Mark.Opcode);
      Statements.push_back(Mark);
      Piece = Piece.drop_front(Colon + 1).ltrim(" \t\r\n{}");
    }
    if (!Piece.empty())
      Statements.push_back(readStatement(Piece));
  }
  return Statements;
}

PtxMemory memoryOf(const PtxStatement &S) {
  const StringRef Root = S.Words.front();
  if (Root == "cp") {
    if (S.has("commit_group") || S.has("wait_group") || S.has("wait_all") ||
        S.has("mbarrier"))
      return PtxMemory::None;
    return S.has("async") && (S.has("ca") || S.has("cg")) ? PtxMemory::Copy
                                                          : PtxMemory::Other;
  }
  if (Root == "wmma")
    return S.has("load") || S.has("store") ? PtxMemory::Other : PtxMemory::None;
  return StringSwitch<PtxMemory>(Root)
      .Cases("ld", "ldu", PtxMemory::Load)
      .Case("st", PtxMemory::Store)
      .Case("red", PtxMemory::Reduction)
      .Case("atom", PtxMemory::Atomic)
      .Cases("ldmatrix", "stmatrix", PtxMemory::Matrix)
      .Cases("prefetch", "prefetchu", PtxMemory::Prefetch)
      .Cases("multimem", "tensormap", "call", PtxMemory::Other)
      .Cases("tex", "tld4", "suld", "sust", "sured", PtxMemory::Other)
      .Default(PtxMemory::None);
}

std::optional<access::Space> spaceOf(const PtxStatement &S) {
  for (StringRef Word : S.Words) {
    const auto Named = StringSwitch<std::optional<access::Space>>(
                           Word.split(':').first) // shared::cta
                           .Case("global", access::Space::Global)
                           .Case("shared", access::Space::Shared)
                           .Case("const", access::Space::Constant)
                           .Cases("local", "param", access::Space::Local)
                           .Default(std::nullopt);
    if (Named)
      return Named;
  }
  return std::nullopt;
}

std::optional<unsigned> operandNumber(StringRef Text) {
  unsigned Number = 0;
  if (!Text.consume_front("$"))
    return std::nullopt;
  Text.consume_front("{");
  if (Text.consumeInteger(10, Number))
    return std::nullopt;
  return Number;
}

std::optional<PtxAddress> addressIn(StringRef Operand) {
  StringRef Inside = Operand.trim();
  if (!Inside.consume_front("[") || !Inside.consume_back("]"))
    return std::nullopt;
  const size_t Sign = Inside.find_first_of("+-");
  if (Sign == StringRef::npos)
    return PtxAddress{Inside.trim(), ""};
  StringRef Offset = Inside.drop_front(Sign);
  Offset.consume_front("+");
  return PtxAddress{Inside.take_front(Sign).trim(), Offset.trim()};
}

std::optional<PtxCopy> copyOf(const PtxStatement &S) {
  if (memoryOf(S) != PtxMemory::Copy || S.Operands.size() < 3)
    return std::nullopt;
  PtxCopy Copy{S.Operands[0], S.Operands[1], S.Operands[2], "", S.has("cg")};
  // Otherwise the last operand is the hint.
  if (S.Operands.size() > 3 && !S.has("L2::cache_hint"))
    Copy.Reads = S.Operands[3];
  return Copy;
}

bool mayAccessGlobal(const PtxStatement &S) {
  switch (memoryOf(S)) {
  case PtxMemory::Load:
  case PtxMemory::Store:
  case PtxMemory::Reduction:
  case PtxMemory::Atomic:
  case PtxMemory::Prefetch:
    return spaceOf(S).value_or(access::Space::Global) == access::Space::Global;
  case PtxMemory::Copy:
  case PtxMemory::Other:
    return true;
  case PtxMemory::None:
  case PtxMemory::Matrix:
    return false;
  }
  llvm_unreachable("all of them are above");
}

bool accessesMemory(const PtxStatement &S) {
  switch (memoryOf(S)) {
  case PtxMemory::None:
  case PtxMemory::Prefetch:
    return false;
  case PtxMemory::Matrix:
    return true;
  default:
    return spaceOf(S) != access::Space::Local;
  }
}

PtxType typeOf(const PtxStatement &S) {
  PtxType T;
  for (StringRef Word : S.Words) {
    unsigned Number = 0;
    if (Word == "v2" || Word == "v4" || Word == "v8") {
      Word.drop_front().getAsInteger(10, T.Count);
      continue;
    }
    const unsigned Bits = StringSwitch<unsigned>(Word)
                              .Case("pred", 1)
                              .Cases("f16", "bf16", 16)
                              .Cases("f16x2", "bf16x2", 32)
                              .Default(0);
    if (Bits != 0) {
      T.Bits = Bits;
      T.Real = Bits != 1;
    } else if (Word.size() > 1 && StringRef("busf").contains(Word.front()) &&
               !Word.drop_front().getAsInteger(10, Number)) {
      T.Bits = Number;
      T.Signed = Word.front() == 's';
      T.Real = Word.front() == 'f';
    }
  }
  return T;
}

} // namespace warpwise::lowering

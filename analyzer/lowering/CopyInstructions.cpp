//===- CopyInstructions.cpp - Accesses that are calls or assembly ---------===//

#include "analyzer/lowering/CopyInstructions.h"

#include "analyzer/lowering/PtxStatement.h"
#include "analyzer/lowering/TensorCore.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace warpwise::lowering {
namespace {

using Accesses = SmallVector<CallAccess, 2>;

/// llvm.nvvm.cp.async.ca.shared.global.16(to, from)
Accesses asyncCopy(const CallInst &Call, StringRef Name) {
  Accesses Made;
  unsigned Bytes = 0;
  SmallVector<StringRef, 8> Words;
  Name.split(Words, '.');
  for (StringRef Word : Words)
    if (!Word.getAsInteger(10, Bytes))
      break;
  if (Bytes == 0 || !Name.contains("shared.global"))
    return Made; // commit, wait, mbarrier
  using Kind = access::Access::Kind;
  Made.push_back({Call.getArgOperand(1), 0, access::Space::Global,
                  access::Operation::Load, Bytes, Kind::AsyncCopy});
  Made.push_back({Call.getArgOperand(0), 0, access::Space::Shared,
                  access::Operation::Store, Bytes, Kind::AsyncCopy});
  return Made;
}

/// Reads inline PTX as far as memory operands go.
class AssemblyReader {
  const CallInst &Call;
  unsigned Outputs = 0;
  Accesses Made;

public:
  explicit AssemblyReader(const CallInst &Call, const InlineAsm &Assembly)
      : Call(Call) {
    for (const InlineAsm::ConstraintInfo &C : Assembly.ParseConstraints())
      Outputs += C.Type == InlineAsm::isOutput;
  }

  Accesses read(const std::string &Text, std::string *Unread) {
    for (const lowering::PtxStatement &S : lowering::ptxStatements(Text))
      if (lowering::accessesMemory(S) && !readStatement(S) && Unread)
        *Unread = S.Opcode.str();
    return std::move(Made);
  }

private:
  /// The operand "[$1+16]".
  bool operand(StringRef Text, CallAccess &Into) const {
    StringRef Inside = Text.trim();
    if (!Inside.consume_front("[") || !Inside.consume_back("]"))
      return false;
    Inside = Inside.trim();
    unsigned Number = 0;
    if (!Inside.consume_front("$"))
      return false;
    Inside.consume_front("{"); // ${1:x}
    if (Inside.consumeInteger(10, Number) || Number < Outputs ||
        Number - Outputs >= Call.arg_size())
      return false;
    Into.Pointer = Call.getArgOperand(Number - Outputs);
    Inside = Inside.trim(" }");
    if (Inside.consume_front("+") || Inside.starts_with("-")) {
      Inside = Inside.trim();
      int64_t Offset = 0;
      unsigned OffsetOperand = 0;
      if (Inside.consume_front("$")) { // "[%1+%2]" with an immediate
        if (!Inside.consumeInteger(10, OffsetOperand) &&
            OffsetOperand >= Outputs &&
            OffsetOperand - Outputs < Call.arg_size())
          if (auto *Immediate = dyn_cast<ConstantInt>(
                  Call.getArgOperand(OffsetOperand - Outputs)))
            Offset = Immediate->getSExtValue();
      } else if (Inside.getAsInteger(0, Offset)) {
        return false;
      }
      Into.Offset = Offset;
    }
    return true;
  }

  static unsigned widthOf(ArrayRef<StringRef> Words) {
    unsigned Count = 1, Bytes = 0;
    for (StringRef Word : Words) {
      if (Word == "v2" || Word == "v4" || Word == "v8")
        Word.drop_front().getAsInteger(10, Count);
      const unsigned This = StringSwitch<unsigned>(Word)
                                .Cases("b8", "u8", "s8", 1)
                                .Cases("b16", "u16", "s16", "f16", "bf16", 2)
                                .Cases("b32", "u32", "s32", "f32", 4)
                                .Cases("f16x2", "bf16x2", 4)
                                .Cases("b64", "u64", "s64", "f64", 8)
                                .Case("b128", 16)
                                .Default(0);
      if (This)
        Bytes = This;
    }
    return Count * Bytes;
  }

  static std::optional<access::Space> spaceIn(ArrayRef<StringRef> Words) {
    for (StringRef Word : Words) {
      const StringRef Plain = Word.split(':').first; // shared::cta
      if (Plain == "global")
        return access::Space::Global;
      if (Plain == "shared")
        return access::Space::Shared;
      if (Plain == "const")
        return access::Space::Constant;
      if (Plain == "local" || Plain == "param")
        return access::Space::Local;
    }
    return std::nullopt;
  }

  /// False when its accesses are not understood.
  bool readStatement(const lowering::PtxStatement &S) {
    const StringRef Root = S.Words.front();
    CallAccess A;
    if (Root == "ldmatrix") {
      A.Memory = access::Space::Shared;
      A.Bytes = 16;
      A.Sort = access::Access::Kind::TensorCore;
      A.Lanes = S.has("x1") ? 0xffu : S.has("x2") ? 0xffffu : A.Lanes;
      if (S.Operands.size() < 2 || !operand(S.Operands[1], A))
        return false;
      Made.push_back(A);
      return true;
    }
    if (S.Opcode.starts_with("cp.async.c"))
      return readAsyncCopy(S);
    const bool Stores = Root == "st" || Root == "red";
    A.Op = Root == "st"                      ? access::Operation::Store
           : Root == "red" || Root == "atom" ? access::Operation::Atomic
                                             : access::Operation::Load;
    if (A.Op == access::Operation::Load && Root != "ld" && Root != "ldu")
      return false;
    A.Memory = spaceIn(S.Words);
    A.Bytes = widthOf(S.Words);
    const unsigned At = Stores ? 0 : 1;
    if (A.Bytes == 0 || S.Operands.size() <= At || !operand(S.Operands[At], A))
      return false;
    Made.push_back(A);
    return true;
  }

  /// cp.async.cg.shared.global [$0], [$1], 16
  bool readAsyncCopy(const lowering::PtxStatement &S) {
    CallAccess To, From;
    if (S.Operands.size() < 3 || !operand(S.Operands[0], To) ||
        !operand(S.Operands[1], From))
      return false;
    StringRef Size = S.Operands[2];
    unsigned Bytes = 0;
    if (Size.consume_front("$")) {
      unsigned Number = 0;
      if (!Size.consumeInteger(10, Number) && Number >= Outputs &&
          Number - Outputs < Call.arg_size())
        if (auto *Immediate =
                dyn_cast<ConstantInt>(Call.getArgOperand(Number - Outputs)))
          Bytes = unsigned(Immediate->getZExtValue());
    } else {
      Size.consumeInteger(10, Bytes);
    }
    if (Bytes == 0)
      return false;
    To.Memory = access::Space::Shared;
    To.Op = access::Operation::Store;
    From.Memory = access::Space::Global;
    To.Bytes = From.Bytes = Bytes;
    To.Sort = From.Sort = access::Access::Kind::AsyncCopy;
    Made.push_back(From);
    Made.push_back(To);
    return true;
  }
};

} // namespace

SmallVector<CallAccess, 2> callAccesses(const CallInst &Call,
                                        std::string *Unread) {
  if (auto *Assembly = dyn_cast<InlineAsm>(Call.getCalledOperand()))
    return AssemblyReader(Call, *Assembly)
        .read(lowering::withoutComments(Assembly->getAsmString()), Unread);
  const Function *Callee = Call.getCalledFunction();
  if (!Callee)
    return {};
  const StringRef Name = Callee->getName();
  if (Name.starts_with("llvm.nvvm.cp.async."))
    return asyncCopy(Call, Name);
  return {};
}

bool addressOperands(const CallInst &Call,
                     SmallVectorImpl<const Value *> &Operands) {
  if (const std::optional<FragmentAccess> Fragment = fragmentAccess(Call)) {
    Operands.push_back(Fragment->Pointer);
    Operands.push_back(Fragment->Stride);
    return true;
  }
  const auto Accesses = callAccesses(Call);
  for (const CallAccess &A : Accesses)
    Operands.push_back(A.Pointer);
  return !Accesses.empty();
}

} // namespace warpwise::lowering

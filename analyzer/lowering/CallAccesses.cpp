//===- CallAccesses.cpp - Accesses that are calls or assembly -------------===//

#include "analyzer/lowering/CallAccesses.h"

#include "analyzer/lowering/AssemblyInputs.h"
#include "analyzer/lowering/MemoryInstructions.h"
#include "analyzer/lowering/PtxStatement.h"
#include "analyzer/lowering/TensorCore.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace warpwise::lowering {
namespace {

using Accesses = SmallVector<CallAccess, 2>;

Accesses asyncCopy(const CallInst &Call) {
  Accesses Made;
  const unsigned Bytes = asyncCopyBytes(Call);
  if (Bytes == 0)
    return Made;
  using Kind = access::Access::Kind;
  Made.push_back({Call.getArgOperand(1), 0, access::Space::Global,
                  access::Operation::Load, Bytes, Kind::AsyncCopy});
  Made.push_back({Call.getArgOperand(0), 0, access::Space::Shared,
                  access::Operation::Store, Bytes, Kind::AsyncCopy});
  return Made;
}

/// Reads inline PTX as far as memory operands go.
class AssemblyReader {
  const AssemblyInputs Inputs;
  Accesses Made;

public:
  AssemblyReader(const CallInst &Call, const InlineAsm &Assembly)
      : Inputs(Call, Assembly) {}

  Accesses read(const std::string &Text, std::string *Unread) {
    for (const PtxStatement &S : ptxStatements(Text))
      if (accessesMemory(S) && !readStatement(S) && Unread)
        *Unread = S.Opcode.str();
    return std::move(Made);
  }

private:
  /// The operand "[$1+16]".
  bool operand(StringRef Text, CallAccess &Into) const {
    const std::optional<PtxAddress> At = addressIn(Text);
    Into.Pointer = At ? Inputs.named(At->Base) : nullptr;
    if (!Into.Pointer || At->Offset.empty())
      return Into.Pointer;
    const std::optional<int64_t> Offset = Inputs.number(At->Offset);
    Into.Offset = Offset.value_or(0);
    return Offset || operandNumber(At->Offset); // "[%1+%2]"
  }

  /// False when its accesses are not understood.
  bool readStatement(const PtxStatement &S) {
    CallAccess A;
    A.Memory = spaceOf(S);
    if (const PtxType T = typeOf(S); T.Bits != 0)
      A.Bytes = T.Bits / 8 * T.Count;
    unsigned At = 1;
    switch (memoryOf(S)) {
    case PtxMemory::Copy:
      return readCopy(S);
    case PtxMemory::Matrix:
      A.Memory = access::Space::Shared;
      A.Bytes = 16;
      A.Sort = access::Access::Kind::TensorCore;
      A.Lanes = S.has("x1") ? 0xffu : S.has("x2") ? 0xffffu : A.Lanes;
      if (S.Words.front() != "ldmatrix")
        return false;
      break;
    case PtxMemory::Load:
      break;
    case PtxMemory::Store:
      A.Op = access::Operation::Store;
      At = 0;
      break;
    case PtxMemory::Reduction:
      A.Op = access::Operation::Atomic;
      At = 0;
      break;
    case PtxMemory::Atomic:
      A.Op = access::Operation::Atomic;
      break;
    default:
      return false;
    }
    if (A.Bytes == 0 || S.Operands.size() <= At || !operand(S.Operands[At], A))
      return false;
    Made.push_back(A);
    return true;
  }

  bool readCopy(const PtxStatement &S) {
    const std::optional<PtxCopy> Copy = copyOf(S);
    CallAccess To, From;
    if (!Copy || !operand(Copy->To, To) || !operand(Copy->From, From))
      return false;
    const auto Bytes = unsigned(Inputs.number(Copy->Bytes).value_or(0));
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

/// llvm.nvvm.cp.async.ca.shared.global.16(to, from)
unsigned asyncCopyBytes(const CallInst &Call) {
  const Function *Callee = Call.getCalledFunction();
  const StringRef Name = Callee ? Callee->getName() : "";
  if (nvidiaMemory(Name) != NvidiaMemory::Copy ||
      !Name.contains("shared.global"))
    return 0;
  unsigned Bytes = 0;
  SmallVector<StringRef, 8> Words;
  Name.split(Words, '.');
  for (StringRef Word : Words)
    if (!Word.getAsInteger(10, Bytes))
      break;
  return Bytes;
}

SmallVector<CallAccess, 2> callAccesses(const CallInst &Call,
                                        std::string *Unread) {
  if (auto *Assembly = dyn_cast<InlineAsm>(Call.getCalledOperand()))
    return AssemblyReader(Call, *Assembly)
        .read(withoutComments(Assembly->getAsmString()), Unread);
  return asyncCopy(Call);
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

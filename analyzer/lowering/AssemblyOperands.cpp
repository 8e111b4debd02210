//===- AssemblyOperands.cpp - The values in inline assembly ---------------===//

#include "analyzer/lowering/AssemblyOperands.h"

#include "analyzer/lowering/AddressSpaces.h"
#include "analyzer/lowering/AssemblyExpander.h"

#include "llvm/IR/Operator.h"

using namespace llvm;

namespace warpwise::lowering {
namespace {

/// The pointer from which \p Number was made, if it can be told.
Value *baseOf(IRBuilderBase &Builder, Value *Number, unsigned Depth = 0) {
  constexpr unsigned MostSteps = 16;
  if (Number->getType()->isPointerTy())
    return Number;
  auto *Made = dyn_cast<Operator>(Number);
  if (!Made || Depth == MostSteps)
    return nullptr;
  switch (Made->getOpcode()) {
  case Instruction::PtrToInt:
    return Made->getOperand(0);
  case Instruction::Trunc:
  case Instruction::ZExt:
    return baseOf(Builder, Made->getOperand(0), Depth + 1);
  case Instruction::Or:
    if (!cast<PossiblyDisjointInst>(Made)->isDisjoint())
      return nullptr;
    [[fallthrough]];
  case Instruction::Add:
    for (unsigned N : {0u, 1u})
      if (Value *Base = baseOf(Builder, Made->getOperand(N), Depth + 1))
        return Builder.CreateGEP(
            Builder.getInt8Ty(), Base,
            Builder.CreateSExtOrTrunc(Made->getOperand(1 - N),
                                      Builder.getInt64Ty()));
    return nullptr;
  case Instruction::Sub:
    if (Value *Base = baseOf(Builder, Made->getOperand(0), Depth + 1))
      return Builder.CreateGEP(Builder.getInt8Ty(), Base,
                               Builder.CreateNeg(Builder.CreateSExtOrTrunc(
                                   Made->getOperand(1), Builder.getInt64Ty())));
    return nullptr;
  default:
    return nullptr;
  }
}

} // namespace

bool isEnvironment(StringRef Operand) { return Operand.starts_with("%envreg"); }

Value *pointerFrom(IRBuilderBase &Builder, Value *V, unsigned Space) {
  Value *Base = baseOf(Builder, V);
  if (!Base)
    return Builder.CreateIntToPtr(V, Builder.getPtrTy(Space));
  return Space == SharedSpace
             ? Builder.CreateAddrSpaceCast(Base, Builder.getPtrTy(Space))
             : Base;
}

bool AssemblyOperands::bind(const InlineAsm &Assembly) {
  if (auto *Parts = dyn_cast<StructType>(Call.getType()))
    OutputTypes.assign(Parts->element_begin(), Parts->element_end());
  else if (!Call.getType()->isVoidTy())
    OutputTypes.push_back(Call.getType());
  Values.assign(OutputTypes.size(), nullptr);
  unsigned Output = 0;
  for (const InlineAsm::ConstraintInfo &C : Assembly.ParseConstraints()) {
    if (C.Type == InlineAsm::isOutput) {
      if (C.isIndirect)
        return false;
      ++Output;
    }
    if (C.Type != InlineAsm::isInput)
      continue;
    const unsigned Number = unsigned(Values.size() - OutputTypes.size());
    if (Number >= Call.arg_size())
      return false;
    Value *Given = Call.getArgOperand(Number);
    Values.push_back(Given);
    unsigned Tied = 0; // "+r": the output begins with this
    if (!C.Codes.empty() && !StringRef(C.Codes[0]).getAsInteger(10, Tied) &&
        Tied < OutputTypes.size())
      Values[Tied] = Given;
  }
  return Output == OutputTypes.size();
}

Value *AssemblyOperands::valueOf(StringRef Text) {
  if (isEnvironment(Text)) {
    // Leads to what the driver keeps for grid-wide barriers: no traffic to
    // speak of, and nowhere here.
    Call.getFunction()->addFnAttr(Attribute::NullPointerIsValid);
    return Builder.getInt32(0);
  }
  if (const std::optional<unsigned> Number = operandNumber(Text))
    return *Number < Values.size() ? Values[*Number] : nullptr;
  int64_t Immediate = 0;
  StringRef Plain = Text;
  Plain.consume_back("U");
  if (!Plain.getAsInteger(0, Immediate))
    return Builder.getInt64(uint64_t(Immediate));
  uint64_t Bits = 0;
  if (Plain.consume_front("0f") && !Plain.getAsInteger(16, Bits))
    return Builder.getInt32(uint32_t(Bits));
  if (Plain.consume_front("0d") && !Plain.getAsInteger(16, Bits))
    return Builder.getInt64(Bits);
  return Locals.lookup(Text);
}

Value *AssemblyOperands::valueOf(StringRef Text, unsigned Bits, bool Signed) {
  Value *V = valueOf(Text);
  return V ? converted(V, Builder.getIntNTy(Bits), Signed) : nullptr;
}

bool AssemblyOperands::set(StringRef Text, Value *V) {
  if (const std::optional<unsigned> Number = operandNumber(Text)) {
    if (*Number >= OutputTypes.size())
      return false;
    Values[*Number] = V;
  } else if (Text != "_") {
    Locals[Text] = V;
  }
  return true;
}

Value *AssemblyOperands::convertedBy(IRBuilderBase &B, Value *V, Type *T,
                                     bool Signed) {
  if (V->getType() == T)
    return V;
  if (V->getType()->isPointerTy())
    V = B.CreatePtrToInt(V, B.getIntNTy(WordBits));
  else if (!V->getType()->isIntegerTy())
    V = B.CreateBitCast(V, B.getIntNTy(V->getType()->getPrimitiveSizeInBits()));
  if (T->isPointerTy())
    return B.CreateIntToPtr(V, T);
  Type *Bits = T->isIntegerTy() ? T : B.getIntNTy(T->getPrimitiveSizeInBits());
  V = Signed ? B.CreateSExtOrTrunc(V, Bits) : B.CreateZExtOrTrunc(V, Bits);
  return T->isIntegerTy() ? V : B.CreateBitCast(V, T);
}

unsigned AssemblyOperands::addressSpaceOf(const PtxStatement &S) {
  return spaceOf(S) == access::Space::Shared ? SharedSpace : GenericSpace;
}

Value *AssemblyOperands::address(StringRef Text, unsigned Space) {
  const std::optional<PtxAddress> Found = addressIn(Text);
  Value *At = Found ? valueOf(Found->Base) : nullptr;
  if (!At)
    return nullptr;
  Value *Pointer = pointerFrom(Builder, At, Space);
  if (Found->Offset.empty())
    return Pointer;
  Value *By = valueOf(Found->Offset, WordBits, /*Signed=*/true);
  return By ? Builder.CreateGEP(Builder.getInt8Ty(), Pointer, By) : nullptr;
}

} // namespace warpwise::lowering

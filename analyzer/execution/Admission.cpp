//===- Admission.cpp - What may run in this process -----------------------===//

#include "analyzer/execution/Admission.h"

#include "analyzer/execution/HostCalls.h"
#include "analyzer/execution/HostMath.h"
#include "analyzer/execution/Names.h"
#include "analyzer/lowering/KnownIntrinsics.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace warpwise::execution {
namespace {

/// Wider ones are taken apart piece by piece, and divided by library functions
/// that do not exist.
constexpr unsigned MostIntegerBits = 128;
/// No device has vectors of more than 16 values; optimisation joins some.
constexpr uint64_t MostVectorBits = 4096;

/// The machine's code reaches no farther from one variable to the next.
constexpr uint64_t MostVariableBytes = uint64_t(1) << 30;

/// Attributes of functions that say something about what they compute, not
/// about how to compile them.
bool isKept(const Attribute &A) {
  if (A.isStringAttribute())
    return false;
  switch (A.getKindAsEnum()) {
  case Attribute::MustProgress:
  case Attribute::NoUnwind:
  case Attribute::WillReturn:
  case Attribute::Memory:
  // Of parameters.
  case Attribute::Alignment:
  case Attribute::Dereferenceable:
  case Attribute::NoAlias:
  case Attribute::NoCapture:
  case Attribute::NonNull:
  case Attribute::NoUndef:
  case Attribute::ReadNone:
  case Attribute::ReadOnly:
  case Attribute::WriteOnly:
    return true;
  default:
    return false;
  }
}

AttributeList keptOf(LLVMContext &Context, const AttributeList &All) {
  AttributeList Kept;
  for (unsigned Index : All.indexes())
    for (const Attribute &A : All.getAttributes(Index))
      if (isKept(A))
        Kept = Kept.addAttributeAtIndex(Context, Index, A);
  return Kept;
}

/// Whether code can be generated for values of this type, but for their size.
bool isAdmissible(const Type *T) {
  if (auto *Vector = dyn_cast<FixedVectorType>(T))
    return isAdmissible(Vector->getElementType()) &&
           Vector->getPrimitiveSizeInBits() <= MostVectorBits;
  if (T->isIntegerTy())
    return T->getIntegerBitWidth() <= MostIntegerBits;
  if (T->isStructTy() || T->isArrayTy())
    return all_of(T->subtypes(), isAdmissible);
  return T->isVoidTy() || T->isPointerTy() || T->isHalfTy() ||
         T->isBFloatTy() || T->isFloatTy() || T->isDoubleTy() ||
         T->isLabelTy() || T->isMetadataTy();
}

std::string quote(const Twine &Name) { return ("'" + Name + "'").str(); }

std::string spell(const Type *T) {
  std::string Text;
  raw_string_ostream(Text) << *T;
  return quote(Text);
}

class Admission {
  StringSet<> Own;

public:
  Admission() {
    for (const HostCall &C : hostCalls())
      Own.insert(C.Name);
    for (const MathFunction &F : mathFunctions())
      Own.insert(mathSymbol(F));
  }

  std::string findIn(const Module &M) const {
    if (!M.getModuleInlineAsm().empty())
      return "assembly outside of functions";
    if (!M.alias_empty() || !M.ifunc_empty())
      return "a second name for a function";
    for (const GlobalVariable &Variable : M.globals())
      if (Variable.isDeclaration() || Variable.isThreadLocal() ||
          Variable.hasSection())
        return "the variable " + quote(sourceName(Variable));
      else if (const uint64_t Bytes =
                   M.getDataLayout().getTypeAllocSize(Variable.getValueType());
               Bytes > MostVariableBytes)
        return "a variable of " + std::to_string(Bytes) + " bytes";
    for (const Function &F : M)
      if (std::string Found = findIn(F); !Found.empty())
        return Found;
    return "";
  }

private:
  std::string findIn(const Function &F) const {
    if (F.isDeclaration())
      return F.use_empty() || isKnown(F) ? ""
                                         : "a call of " + quote(sourceName(F));
    if (F.hasPersonalityFn() || F.hasPrefixData() || F.hasPrologueData() ||
        F.hasSection() || F.hasGC())
      return "the way in which " + quote(sourceName(F)) + " is compiled";
    for (const Instruction &I : instructions(F))
      if (std::string Found = findIn(I); !Found.empty())
        return Found;
    return "";
  }

  static bool isValue(Type *T, const Instruction &Of) {
    return isAdmissible(T) &&
           (!T->isSized() || Of.getModule()->getDataLayout().getTypeStoreSize(
                                 T) <= MostValueBytes);
  }

  bool isKnown(const Function &F) const {
    return F.isIntrinsic() ? runsOnHost(F) : Own.contains(F.getName());
  }

  static std::string findIn(const Instruction &I) {
    if (auto *Call = dyn_cast<CallBase>(&I)) {
      if (!isa<CallInst>(Call))
        return "a call that may jump";
      if (Call->isInlineAsm())
        return "inline assembly";
      if (Call->isMustTailCall() || Call->hasOperandBundles())
        return "a call in an unusual way";
      if (!Call->getCalledFunction())
        return "a call through a pointer";
    } else if (I.isTerminator() &&
               !isa<BranchInst, SwitchInst, ReturnInst, UnreachableInst>(I)) {
      return "a jump to an address";
    } else if (isa<VAArgInst>(I) || I.isEHPad()) {
      return std::string("the instruction ") + I.getOpcodeName();
    } else if (auto *Slot = dyn_cast<AllocaInst>(&I);
               Slot && !Slot->isStaticAlloca()) {
      return "an array of variable size";
    }
    if (!isValue(I.getType(), I))
      return "the type " + spell(I.getType());
    for (const Value *Operand : I.operands()) {
      if (isa<BlockAddress>(Operand))
        return "the address of a label";
      if (!isValue(Operand->getType(), I))
        return "the type " + spell(Operand->getType());
    }
    return "";
  }
};

} // namespace

bool runsOnHost(const Function &F) {
  switch (F.getIntrinsicID()) {
  // A kernel's end, and what the host does in another way or not at all.
  case Intrinsic::debugtrap:
  case Intrinsic::prefetch:
  case Intrinsic::readcyclecounter:
  case Intrinsic::readsteadycounter:
  case Intrinsic::trap:
  case Intrinsic::ubsantrap:
    return false;
  default:
    return lowering::isPlainIntrinsic(F);
  }
}

void stripForHost(Module &M) {
  M.setModuleInlineAsm("");
  for (GlobalVariable &Variable : make_early_inc_range(M.globals()))
    if (Variable.getName().starts_with("llvm."))
      Variable.eraseFromParent();
  for (Function &F : M) {
    if (F.isIntrinsic())
      continue;
    F.setCallingConv(CallingConv::C);
    F.setAttributes(keptOf(M.getContext(), F.getAttributes()));
    if (F.isDeclaration())
      continue;
    F.setComdat(nullptr);
    F.setSection("");
    F.setPersonalityFn(nullptr);
    F.setPrefixData(nullptr);
    F.setPrologueData(nullptr);
    F.clearGC();
    // A jump table leads anywhere when its index is not what LLVM was told.
    F.addFnAttr("no-jump-tables", "true");
    // The page behind a stack's end is closed, and must not be jumped over.
    F.addFnAttr("probe-stack", "inline-asm");
  }
}

std::string findInadmissible(const Module &M) { return Admission().findIn(M); }

} // namespace warpwise::execution

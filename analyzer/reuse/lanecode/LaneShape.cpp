//===- LaneShape.cpp - Which lanes have to run ----------------------------===//

#include "analyzer/reuse/lanecode/LaneShape.h"

#include "analyzer/execution/HostCalls.h"
#include "analyzer/reuse/lanecode/LaneCode.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace warpwise::reuse {
namespace {

/// How a value differs between the lanes of a row, or between the blocks, given
/// that the witnesses agree. Ordered: each is a case of the next.
enum class Variation { Uniform, Affine, Varying };

enum class Among { Lanes, Blocks };

/// What is left of a payload in a stream.
constexpr unsigned PayloadBits = 64 - PositionBits;

class LaneVariations {
  Function &F;
  const Among Of;
  DenseMap<const Value *, Variation> Known;
  /// Values of which a witness is needed.
  SetVector<Instruction *> Witnessed;

public:
  LaneVariations(Function &F, Among Of) : F(F), Of(Of) {}
  const SetVector<Instruction *> &witnessed() const { return Witnessed; }

  bool solve() {
    for (bool Changed = true; Changed;) {
      Changed = false;
      Witnessed.clear();
      for (Instruction &I : instructions(F)) {
        const Variation New = variationOf(I);
        Variation &Old = Known[&I];
        Changed |= New > Old;
        Old = std::max(Old, New);
      }
    }
    return all_of(instructions(F), [&](Instruction &I) { return isProved(I); });
  }

  /// Adds what may wrap around, and then would not be affine in the numbers
  /// that witnesses compare, but only modulo a power of two.
  void addWrapping(SetVector<Instruction *> &To) const {
    SetVector<const Value *> Exact;
    for (Instruction &I : instructions(F))
      if (Witnessed.contains(&I) || isa<SExtInst>(I))
        Exact.insert(I.op_begin(), I.op_end());
    for (size_t N = 0; N != Exact.size(); ++N) {
      auto *I = dyn_cast<Instruction>(Exact[N]);
      if (!I || of(I) != Variation::Affine)
        continue;
      if (mayWrap(*I))
        To.insert(const_cast<Instruction *>(I));
      Exact.insert(I->op_begin(), I->op_end());
    }
  }

private:
  /// Numbers of fewer bits are likely to overflow somewhere in a grid.
  static constexpr unsigned LeastBits = 32;

  Variation of(const Value *V) const {
    auto At = Known.find(V);
    return At == Known.end() ? Variation::Uniform : At->second;
  }

  Variation worstOperand(const Instruction &I) const {
    Variation Worst = Variation::Uniform;
    for (const Value *Operand : I.operands())
      Worst = std::max(Worst, of(Operand));
    return Worst;
  }

  /// Affine when a witness says so.
  Variation onWitness(Instruction &I) {
    Witnessed.insert(&I);
    return Variation::Affine;
  }

  Variation variationOf(Instruction &I) {
    if (auto *Call = dyn_cast<CallInst>(&I))
      return variationOfCall(*Call);
    if (isa<AllocaInst>(I))
      return Variation::Uniform;
    if (auto *Load = dyn_cast<LoadInst>(&I))
      return of(Load->getPointerOperand()) == Variation::Uniform &&
                     !isa<AllocaInst>(
                         getUnderlyingObject(Load->getPointerOperand(), 0))
                 ? Variation::Uniform
                 : Variation::Varying;
    const Variation Worst = worstOperand(I);
    if (Worst != Variation::Affine)
      return Worst;
    if (I.getType()->isVectorTy())
      return Variation::Varying;
    switch (I.getOpcode()) {
    case Instruction::ZExt:
      // One lane in many blocks may cross zero, which a row seldom does.
      return Of == Among::Blocks && !cast<ZExtInst>(I).hasNonNeg()
                 ? onWitness(I)
                 : Variation::Affine;
    case Instruction::Trunc:
      return Of == Among::Blocks &&
                     I.getType()->getIntegerBitWidth() < LeastBits
                 ? Variation::Varying
                 : Variation::Affine;
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::SExt:
    case Instruction::PtrToInt:
    case Instruction::IntToPtr:
    case Instruction::AddrSpaceCast:
    case Instruction::BitCast:
    case Instruction::Freeze:
    case Instruction::PHI:
    case Instruction::GetElementPtr:
      return Variation::Affine;
    case Instruction::Mul:
      if (of(I.getOperand(0)) != Variation::Affine ||
          of(I.getOperand(1)) != Variation::Affine)
        return Variation::Affine;
      // The corners of a box do not tell of squares.
      return Of == Among::Lanes ? onWitness(I) : Variation::Varying;
    case Instruction::Shl:
      return of(I.getOperand(1)) == Variation::Uniform ? Variation::Affine
                                                       : Variation::Varying;
    case Instruction::UDiv:
    case Instruction::SDiv:
    case Instruction::URem:
    case Instruction::SRem:
    case Instruction::LShr:
    case Instruction::AShr:
      return of(I.getOperand(1)) == Variation::Uniform ? onWitness(I)
                                                       : Variation::Varying;
    case Instruction::And:
      return isMask(I) ? onWitness(I) : Variation::Varying;
    case Instruction::Xor:
      return match(&I, m_Not(m_Value())) ? Variation::Affine
                                         : Variation::Varying;
    case Instruction::Or:
      return cast<PossiblyDisjointInst>(I).isDisjoint() ? Variation::Affine
                                                        : Variation::Varying;
    case Instruction::ICmp:
      Witnessed.insert(&I);
      return Variation::Uniform;
    case Instruction::Select:
      return of(I.getOperand(0)) == Variation::Uniform ? Variation::Affine
                                                       : Variation::Varying;
    default:
      return Variation::Varying;
    }
  }

  static bool mayWrap(const Instruction &I) {
    switch (I.getOpcode()) {
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::Mul:
    case Instruction::Shl:
    case Instruction::Trunc:
      return !I.hasNoSignedWrap();
    default:
      return false;
    }
  }

  /// A remainder by a power of two, or what it leaves.
  static bool isMask(const Instruction &I) {
    const APInt *Mask = nullptr;
    return match(&I, m_And(m_Value(), m_APInt(Mask))) &&
           (Mask->isMask() || Mask->isNegatedPowerOf2());
  }

  Variation variationOfCall(CallInst &Call) {
    const Function *Callee = Call.getCalledFunction();
    if (Callee && Callee->getName() == RegisterCall)
      return variationOfRegister(Call);
    const Variation Worst = worstOperand(Call);
    if (Worst == Variation::Affine && isa<MinMaxIntrinsic>(Call)) {
      Witnessed.insert(&Call);
      return Variation::Affine;
    }
    return Worst == Variation::Uniform ? Worst : Variation::Varying;
  }

  Variation variationOfRegister(const CallInst &Call) const {
    using execution::Register;
    const auto Which =
        Register(cast<ConstantInt>(Call.getArgOperand(0))->getZExtValue());
    if (Of == Among::Blocks)
      return Which == Register::CtaidX || Which == Register::CtaidY ||
                     Which == Register::CtaidZ
                 ? Variation::Affine
                 : Variation::Uniform;
    switch (Which) {
    case Register::TidX:
    case Register::LaneId:
      return Variation::Affine;
    case Register::MaskLess:
    case Register::MaskLessEqual:
    case Register::MaskEqual:
    case Register::MaskGreater:
    case Register::MaskGreaterEqual:
      return Variation::Varying;
    default:
      return Variation::Uniform;
    }
  }

  bool isProved(const Instruction &I) const {
    if (auto *Branch = dyn_cast<BranchInst>(&I))
      return Branch->isUnconditional() ||
             of(Branch->getCondition()) == Variation::Uniform;
    if (auto *Switch = dyn_cast<SwitchInst>(&I))
      return of(Switch->getCondition()) == Variation::Uniform;
    if (auto *Call = dyn_cast<CallInst>(&I))
      if (const Function *Callee = Call->getCalledFunction()) {
        if (Callee->getName() == EventCall)
          return of(Call->getArgOperand(1)) != Variation::Varying;
        if (Callee->getName() == RegisterCall ||
            Callee->getName() == InsideCall)
          return true;
      }
    // What one block stores another one could read.
    return Of == Among::Lanes || !I.mayWriteToMemory() || isOwn(I);
  }

  /// Whether the thread writes to an array of its own.
  static bool isOwn(const Instruction &I) {
    auto *Store = dyn_cast<StoreInst>(&I);
    return Store &&
           isa<AllocaInst>(getUnderlyingObject(Store->getPointerOperand(), 0));
  }
};

class Witnesses {
  Function &F;

public:
  explicit Witnesses(Function &F) : F(F) {}

  void add(Instruction &I) {
    IRBuilder<> Builder(I.getNextNode());
    Value *Payload = witnessOf(I, Builder);
    Type *Wide = Builder.getInt64Ty();
    event(Builder, Payload->getType()->isPointerTy()
                       ? Builder.CreatePtrToInt(Payload, Wide)
                       : Builder.CreateZExtOrTrunc(Payload, Wide));
  }

  /// Where \p I does wrap around, no lane or block can tell of another one: a
  /// square is not affine, and no outcome or quotient is so large.
  void addWrap(Instruction &I) {
    IRBuilder<> Builder(I.getNextNode());
    Value *Wraps = wraps(I, Builder);
    if (isa<Constant>(Wraps))
      return;
    MDNode *Rarely = MDBuilder(F.getContext()).createBranchWeights(1, 1 << 20);
    Builder.SetInsertPoint(SplitBlockAndInsertIfThen(
        Wraps, Builder.GetInsertPoint(), /*Unreachable=*/false, Rarely));
    using execution::Register;
    Value *Place = Builder.getInt64(1);
    for (Register Which :
         {Register::TidX, Register::CtaidX, Register::CtaidY, Register::CtaidZ})
      Place = Builder.CreateAdd(Place, read(Builder, Which));
    event(Builder, Builder.CreateOr(Builder.CreateMul(Place, Place),
                                    uint64_t(1) << (PayloadBits - 1)));
  }

private:
  void event(IRBuilder<> &Builder, Value *Payload) {
    FunctionCallee Event = F.getParent()->getOrInsertFunction(
        EventCall, Builder.getVoidTy(), Builder.getInt32Ty(),
        Builder.getInt64Ty());
    Builder.CreateCall(Event, {Builder.getInt32(WitnessPosition), Payload});
  }

  Value *read(IRBuilder<> &Builder, execution::Register Which) {
    FunctionCallee Register = F.getParent()->getOrInsertFunction(
        RegisterCall, Builder.getInt32Ty(), Builder.getInt32Ty());
    return Builder.CreateZExt(
        Builder.CreateCall(Register, {Builder.getInt32(uint32_t(Which))}),
        Builder.getInt64Ty());
  }

  /// Whether the result of \p I, as a number with a sign, is another one than
  /// it were with more bits.
  static Value *wraps(Instruction &I, IRBuilder<> &Builder) {
    Value *A = I.getOperand(0);
    switch (I.getOpcode()) {
    case Instruction::Trunc:
      return Builder.CreateICmpNE(Builder.CreateSExt(&I, A->getType()), A);
    case Instruction::Shl:
      return Builder.CreateICmpNE(Builder.CreateAShr(&I, I.getOperand(1)), A);
    default: {
      const Intrinsic::ID Checked =
          I.getOpcode() == Instruction::Add   ? Intrinsic::sadd_with_overflow
          : I.getOpcode() == Instruction::Sub ? Intrinsic::ssub_with_overflow
                                              : Intrinsic::smul_with_overflow;
      return Builder.CreateExtractValue(
          Builder.CreateBinaryIntrinsic(Checked, A, I.getOperand(1)), 1);
    }
    }
  }

  /// Several conditions as one number.
  static Value *join(IRBuilder<> &Builder, ArrayRef<Value *> Conditions) {
    Value *All = Builder.getInt64(0);
    for (Value *Each : Conditions)
      All = Builder.CreateAdd(Builder.CreateShl(All, 1),
                              Builder.CreateZExt(Each, All->getType()));
    return All;
  }

  /// The outcome of a comparison. Numbers without a sign are in order as long
  /// as they do not cross zero.
  static Value *compare(CmpInst::Predicate Order, Value *A, Value *B,
                        IRBuilder<> &Builder) {
    Value *Outcome = Builder.CreateICmp(Order, A, B);
    if (!CmpInst::isUnsigned(Order) || A->getType()->isPointerTy())
      return Outcome;
    Value *Zero = Constant::getNullValue(A->getType());
    return join(Builder, {Builder.CreateICmpSLT(A, Zero),
                          Builder.CreateICmpSLT(B, Zero), Outcome});
  }

  /// A number that is monotone in the lane. When it is affine in the first,
  /// second and last lane, then \p I is what its shape says in all of them.
  static Value *witnessOf(Instruction &I, IRBuilder<> &Builder) {
    Value *A = I.getOperand(0);
    Value *B = I.getNumOperands() > 1 ? I.getOperand(1) : nullptr;
    if (auto *Compare = dyn_cast<ICmpInst>(&I)) {
      if (!Compare->isEquality())
        return compare(Compare->getPredicate(), A, B, Builder);
      // Below, equal or above: lanes in the middle may be equal only.
      return join(Builder, {Builder.CreateICmpSLT(A, B), Compare});
    }
    if (auto *Least = dyn_cast<MinMaxIntrinsic>(&I))
      return compare(Least->getPredicate(), A, B, Builder);
    switch (I.getOpcode()) {
    case Instruction::ZExt:
      return Builder.CreateICmpSLT(A, Constant::getNullValue(A->getType()));
    case Instruction::URem:
      return Builder.CreateUDiv(A, B);
    case Instruction::SRem:
      return Builder.CreateSDiv(A, B);
    case Instruction::And: {
      const APInt &Mask = cast<ConstantInt>(B)->getValue();
      return Builder.CreateLShr(A, Mask.isMask() ? Mask.countr_one()
                                                 : Mask.countr_zero());
    }
    default:
      return &I;
    }
  }
};

} // namespace

AffineShapes addWitnesses(Function &F) {
  LaneVariations Lanes(F, Among::Lanes), Blocks(F, Among::Blocks);
  const AffineShapes Proved = {Lanes.solve(), Blocks.solve()};
  SetVector<Instruction *> Needed, Wrapping;
  for (const auto &[Of, IsProved] :
       {std::pair(&Lanes, Proved.Rows), std::pair(&Blocks, Proved.Blocks)})
    if (IsProved) {
      Needed.insert(Of->witnessed().begin(), Of->witnessed().end());
      Of->addWrapping(Wrapping);
    }
  Witnesses Added(F);
  for (Instruction *I : Needed)
    Added.add(*I);
  for (Instruction *I : Wrapping)
    Added.addWrap(*I);
  return Proved;
}

} // namespace warpwise::reuse

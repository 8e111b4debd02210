//===- LoadUses.cpp - What becomes of what is loaded ----------------------===//

#include "analyzer/evaluate/LoadUses.h"

#include "analyzer/evaluate/Instructions.h"
#include "analyzer/evaluate/NumberRoles.h"
#include "analyzer/lowering/ObjectOf.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cstdlib>

using namespace llvm;

namespace warpwise::access {

/// Whether \p V and what is taken out of it go to shared memory, and nowhere
/// else.
static bool goesToShared(const Value &V) {
  return !V.use_empty() && all_of(V.users(), [&](const User *By) {
    if (isa<ExtractElementInst, ExtractValueInst, InsertElementInst,
            BitCastInst>(By))
      return goesToShared(*By);
    const auto *Store = dyn_cast<StoreInst>(By);
    return Store && Store->getValueOperand() == &V &&
           lowering::objectOf(Store->getPointerOperand()).Memory ==
               Space::Shared;
  });
}

bool bringsTile(const Instruction &I, const llvm::LoopInfo &Loops) {
  if (!isa<LoadInst>(I) || !goesToShared(I))
    return false;
  for (const Loop *L = Loops.getLoopFor(I.getParent()); L;
       L = L->getParentLoop())
    if (hasBarrier(*L))
      return true;
  return false;
}

/// The shared array that \p V ends in, and nowhere else; null otherwise.
static const Value *endOf(const Value &V,
                          SmallPtrSetImpl<const Value *> &Seen) {
  const Value *End = nullptr;
  for (const User *By : V.users()) {
    const Value *There = nullptr;
    if (const auto *Store = dyn_cast<StoreInst>(By)) {
      const lowering::ObjectInfo To =
          lowering::objectOf(Store->getPointerOperand());
      if (Store->getValueOperand() == &V && To.Memory == Space::Shared)
        There = To.Object;
    } else if (isa<BitCastInst, PHINode>(By) ||
               (isa<SelectInst>(By) &&
                cast<SelectInst>(By)->getCondition() != &V)) {
      if (!Seen.insert(By).second)
        continue;
      There = endOf(*By, Seen);
    }
    if (!There || (End && End != There))
      return nullptr;
    End = There;
  }
  return End;
}

const Value *stagedIn(const Instruction &I) {
  if (!isa<LoadInst>(I))
    return nullptr;
  SmallPtrSet<const Value *, 8> Seen;
  return endOf(I, Seen);
}

static bool isSharedLoad(const Value *V) {
  const auto *Load = dyn_cast<LoadInst>(V);
  return Load &&
         lowering::objectOf(Load->getPointerOperand()).Memory == Space::Shared;
}

bool isFactor(const Instruction &I) {
  if (!isSharedLoad(&I) || !I.hasOneUse())
    return false;
  const auto *By = cast<Instruction>(I.user_back());
  const auto *Call = dyn_cast<IntrinsicInst>(By);
  const bool IsProduct =
      By->getOpcode() == Instruction::FMul ||
      By->getOpcode() == Instruction::Mul ||
      (Call && (Call->getIntrinsicID() == Intrinsic::fma ||
                Call->getIntrinsicID() == Intrinsic::fmuladd));
  return IsProduct && isSharedLoad(By->getOperand(0)) &&
         isSharedLoad(By->getOperand(1));
}

/// \p Its without what only scales its number.
static Index unscaled(Index Its) {
  while (const auto *I = dyn_cast<Instruction>(Its.Number)) {
    const auto *By = I->getNumOperands() > 1
                         ? dyn_cast<ConstantInt>(I->getOperand(1))
                         : nullptr;
    // Elements are no larger.
    constexpr unsigned MostBits = 16;
    constexpr int64_t MostBytes = 1 << 20;
    if ((By && By->getValue().getActiveBits() > MostBits) ||
        std::abs(Its.Bytes) > MostBytes)
      break;
    if (By && I->getOpcode() == Instruction::Shl)
      Its.Bytes <<= std::min<uint64_t>(By->getZExtValue(), MostBits);
    else if (By && I->getOpcode() == Instruction::Mul)
      Its.Bytes *= By->getSExtValue();
    else if (!isa<SExtInst, ZExtInst>(I))
      break;
    Its.Number = I->getOperand(0);
  }
  return Its;
}

/// What \p V is a constant number apart from, and that number.
static std::pair<const Value *, int64_t> apartBy(const Value *V) {
  int64_t By = 0;
  while (const auto *I = dyn_cast<Instruction>(V)) {
    const auto *Constant = I->getOpcode() == Instruction::Add
                               ? dyn_cast<ConstantInt>(I->getOperand(1))
                               : nullptr;
    if (Constant && Constant->getBitWidth() <= 64)
      By += Constant->getSExtValue();
    else if (!isa<SExtInst, ZExtInst, TruncInst>(I))
      break;
    V = I->getOperand(0);
  }
  return {V, By};
}

/// Whether \p V is the same in every round of \p L: also what is loaded from
/// one place in each, because a store in between might go there. It hardly ever
/// does: where a row starts stays where it was while the row is walked along.
static bool isSameInRounds(const Value *V, const Loop &L) {
  while (isa<SExtInst, ZExtInst, TruncInst>(V))
    V = cast<Instruction>(V)->getOperand(0);
  const auto *Load = dyn_cast<LoadInst>(V);
  return L.isLoopInvariant(V) ||
         (Load && L.isLoopInvariant(Load->getPointerOperand()));
}

/// \p V without what is added to it and the same in every round of \p L.
static const Value *changingPart(const Value *V, const Loop &L) {
  while (const auto *I = dyn_cast<Instruction>(V)) {
    const auto *Disjoint = dyn_cast<PossiblyDisjointInst>(I);
    const bool IsCast = isa<SExtInst, ZExtInst, TruncInst>(I);
    const bool IsSum = I->getOpcode() == Instruction::Add ||
                       (Disjoint && Disjoint->isDisjoint());
    if (IsCast || (IsSum && isSameInRounds(I->getOperand(1), L)))
      V = I->getOperand(0);
    else if (IsSum && isSameInRounds(I->getOperand(0), L))
      V = I->getOperand(1);
    else
      break;
  }
  return V;
}

/// By how much \p Number grows in each round of \p L; 0: not at all, or not
/// known.
static int64_t stepOf(const Value *Number, const Loop &L) {
  const auto *Counter = dyn_cast<PHINode>(changingPart(Number, L));
  const BasicBlock *Latch = L.getLoopLatch();
  if (!Counter || Counter->getParent() != L.getHeader() || !Latch)
    return 0;
  const auto [From, Step] = apartBy(Counter->getIncomingValueForBlock(Latch));
  return From == Counter ? Step : 0;
}

int64_t roundBytes(const Value *Pointer, const Loop &L,
                   const DataLayout &Layout) {
  int64_t Sum = 0;
  for (Pointer = Pointer->stripPointerCasts(); !L.isLoopInvariant(Pointer);
       Pointer = cast<GEPOperator>(Pointer)
                     ->getPointerOperand()
                     ->stripPointerCasts()) {
    const auto *Step = dyn_cast<GEPOperator>(Pointer);
    const unsigned Bits = Layout.getIndexTypeSizeInBits(Pointer->getType());
    MapVector<Value *, APInt> Variable;
    APInt Constant(Bits, 0);
    if (!Step || !Step->collectOffset(Layout, Bits, Variable, Constant))
      return 0;
    for (const auto &[Number, Scale] : Variable) {
      if (isSameInRounds(Number, L))
        continue;
      const int64_t Its = stepOf(Number, L);
      if (Its == 0)
        return 0;
      Sum += Its * Scale.getSExtValue();
    }
  }
  return Sum;
}

/// Whether the lanes of a warp have the same \p V, which is computed before a
/// loop: the number of the warp, say.
static bool isOfWarp(const Value *V, unsigned Depth = 0) {
  constexpr unsigned MostDepth = 12;
  const auto *I = dyn_cast<Instruction>(V);
  if (!I)
    return true;
  if (Depth == MostDepth || isa<PHINode>(I))
    return false;
  using namespace PatternMatch;
  const APInt *By = nullptr;
  if (match(I, m_LShr(m_Value(), m_APInt(By))) && By->uge(Log2_32(WarpLanes)))
    return true;
  if (match(I, m_UDiv(m_Value(), m_APInt(By))) && By->urem(WarpLanes) == 0)
    return true;
  if (const auto *Call = dyn_cast<CallInst>(I))
    return isWarpUniform(*Call);
  return !I->mayReadFromMemory() && all_of(I->operands(), [&](const Use &Of) {
    return isOfWarp(Of, Depth + 1);
  });
}

/// Whether \p V is computed from how large blocks and the grid are, and from
/// nothing else but constants.
static bool isOfShape(const Value *V, unsigned Depth = 0) {
  constexpr unsigned MostDepth = 8;
  const auto *I = dyn_cast<Instruction>(V);
  if (!I)
    return isa<Constant>(V);
  const auto *Call = dyn_cast<CallInst>(I);
  if (Call || Depth == MostDepth || isa<PHINode>(I))
    return Call && isWarpUniform(*Call);
  return !I->mayReadFromMemory() && all_of(I->operands(), [&](const Use &Of) {
    return isOfShape(Of, Depth + 1);
  });
}

bool goesOverGrid(const Loop &L) {
  const BasicBlock *Latch = L.getLoopLatch();
  return Latch && any_of(L.getHeader()->phis(), [&](const PHINode &Counter) {
           const auto *Next =
               dyn_cast<Instruction>(Counter.getIncomingValueForBlock(Latch));
           if (!Next || Next->getOpcode() != Instruction::Add)
             return false;
           const Value *Step = Next->getOperand(0) == &Counter
                                   ? Next->getOperand(1)
                                   : Next->getOperand(0);
           return isOfShape(Step) && hangsOnGridSize(*Step);
         });
}

namespace {

/// The counters of a loop that an address is computed from.
class Counters {
  const Loop &L;
  SmallPtrSet<const Value *, 16> Seen;

public:
  bool IsAny = false, AreAcross = true;

  explicit Counters(const Loop &L) : L(L) {}

  /// \p Rows: what \p V counts are rows.
  void find(const Value *V, bool Rows) {
    const auto *I = dyn_cast<Instruction>(V);
    if (!I || !L.contains(I) || !Seen.insert(I).second)
      return;
    if (const auto *Phi = dyn_cast<PHINode>(I);
        Phi && Phi->getParent() == L.getHeader())
      return add(*Phi, Rows);
    using namespace PatternMatch;
    const APInt *By = nullptr;
    if (match(I, m_Mul(m_Value(), m_APInt(By))))
      Rows |= By->abs().ugt(WarpLanes);
    else if (match(I, m_Shl(m_Value(), m_APInt(By))))
      Rows |= By->ugt(Log2_32(WarpLanes));
    else if (I->getOpcode() == Instruction::Mul)
      Rows |=
          none_of(I->operands(), [](const Use &Of) { return isOfShape(Of); });
    for (const Value *Of : I->operands())
      find(Of, Rows);
  }

private:
  void add(const PHINode &Phi, bool Rows) {
    IsAny = true;
    const BasicBlock *Before = L.getLoopPredecessor(),
                     *Latch = L.getLoopLatch();
    if (!Before || !Latch || !isOfWarp(Phi.getIncomingValueForBlock(Before))) {
      AreAcross = false;
      return;
    }
    if (Rows)
      return;
    // One that grows by more than a row of lanes, but not by as much as there
    // are threads.
    const auto *Next =
        dyn_cast<Instruction>(Phi.getIncomingValueForBlock(Latch));
    const Value *Step = nullptr;
    if (Next && Next->getNumOperands() == 2)
      Step = Next->getOperand(0) == &Phi   ? Next->getOperand(1)
             : Next->getOperand(1) == &Phi ? Next->getOperand(0)
                                           : nullptr;
    AreAcross &= Step && L.isLoopInvariant(Step) && !isOfShape(Step);
  }
};

} // namespace

bool walksAcross(const Instruction &I, const Loop &L) {
  Counters Found(L);
  Found.find(getLoadStorePointerOperand(&I), false);
  return Found.IsAny && Found.AreAcross;
}

uint64_t arrayBytes(const GEPOperator &Step, const Value *Number,
                    const DataLayout &Layout) {
  if (!Step.isInBounds())
    return 0;
  const Type *Around = nullptr; // of what the index before led to
  for (auto At = gep_type_begin(Step), End = gep_type_end(Step); At != End;
       Around = At.getIndexedType(), ++At)
    if (const auto *Array = dyn_cast_or_null<ArrayType>(Around);
        Array && At.getOperand() == Number && Array->getNumElements() > 1)
      return Array->getNumElements() * At.getSequentialElementStride(Layout);
  return 0;
}

Index indexOf(const Instruction &I) {
  const DataLayout &Layout = I.getModule()->getDataLayout();
  Index Its;
  const Value *Pointer = getLoadStorePointerOperand(&I);
  while (Pointer) {
    if (const auto *Cast = dyn_cast<AddrSpaceCastOperator>(Pointer)) {
      Pointer = Cast->getPointerOperand();
      continue;
    }
    const auto *Step = dyn_cast<GEPOperator>(Pointer);
    if (!Step)
      break;
    const unsigned Bits = Layout.getIndexTypeSizeInBits(Step->getType());
    MapVector<Value *, APInt> Variable;
    APInt Constant(Bits, 0);
    if (!Step->collectOffset(Layout, Bits, Variable, Constant) ||
        Variable.size() > 1 || (Its.Number && !Variable.empty()))
      return {};
    Its.Offset += Constant.getSExtValue();
    if (!Variable.empty()) {
      Its.Number = Variable.front().first;
      Its.Bytes = Variable.front().second.getSExtValue();
      Its.ArrayBytes = arrayBytes(*Step, Its.Number, Layout);
    }
    Pointer = Step->getPointerOperand();
  }
  Its.From = Pointer;
  return Its.Number ? unscaled(Its) : Its;
}

} // namespace warpwise::access

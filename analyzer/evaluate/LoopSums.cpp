//===- LoopSums.cpp - Loops whose rounds only add up ----------------------===//
//
// What a round hands to the next one are the phis of the loop's header. Each
// is counted, by the same each time, or a sum: the round's value of it is the
// old one and something that the old one has no part in, put together by an
// operation of which the order does not matter. (It does for the last bits of
// a floating-point sum, which is for the reader of the finding to judge.)
//
//===----------------------------------------------------------------------===//

#include "analyzer/evaluate/LoopSums.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

#include <optional>
#include <utility>

using namespace llvm;

namespace warpwise::access {

namespace {

/// How a sum so far and something new are put together: what has one kind may
/// be done in any order, what has several may not.
enum class Kind { Sum, Product, And, Or, Xor, Least, Greatest };

/// An instruction that puts something together, and those of its operands that
/// may be the sum so far.
struct Joint {
  Kind How;
  SmallVector<const Value *, 2> From;
};

std::optional<Joint> jointOf(const Instruction &I) {
  const auto either = [&I](Kind How) {
    return Joint{How, {I.getOperand(0), I.getOperand(1)}};
  };
  switch (I.getOpcode()) {
  case Instruction::Add:
  case Instruction::FAdd:
    return either(Kind::Sum);
  case Instruction::Sub:
  case Instruction::FSub:
    return Joint{Kind::Sum, {I.getOperand(0)}};
  case Instruction::Mul:
  case Instruction::FMul:
    return either(Kind::Product);
  case Instruction::And:
    return either(Kind::And);
  case Instruction::Or:
    return either(Kind::Or);
  case Instruction::Xor:
    return either(Kind::Xor);
  default:
    break;
  }
  const auto *Call = dyn_cast<IntrinsicInst>(&I);
  switch (Call ? Call->getIntrinsicID() : Intrinsic::not_intrinsic) {
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
    return Joint{Kind::Sum, {I.getOperand(2)}};
  case Intrinsic::smax:
  case Intrinsic::umax:
  case Intrinsic::maxnum:
    return either(Kind::Greatest);
  case Intrinsic::smin:
  case Intrinsic::umin:
  case Intrinsic::minnum:
    return either(Kind::Least);
  default:
    return std::nullopt;
  }
}

/// The way from a phi to what it is in the next round.
class Sum {
  const Loop &L;
  const PHINode &Phi;
  SmallPtrSet<const Value *, 8> Links, Others;
  std::optional<Kind> Its;
  /// Links that nobody writes by hand would fill the stack.
  static constexpr unsigned MostDepth = 256;
  unsigned Depth = 0;

  /// Whether \p V is the old sum with something added, or may be.
  bool follows(const Value *V) {
    if (V == &Phi || Links.contains(V))
      return true;
    const auto *I = dyn_cast<Instruction>(V);
    if (!I || !L.contains(I) || Others.contains(V) || Depth == MostDepth)
      return false;
    ++Depth;
    const bool IsLink = joins(*I);
    --Depth;
    (IsLink ? Links : Others).insert(V);
    return IsLink;
  }

  bool joins(const Instruction &I) {
    if (const auto *Merge = dyn_cast<PHINode>(&I))
      return Merge->getParent() != L.getHeader() &&
             all_of(Merge->incoming_values(),
                    [&](const Value *In) { return follows(In); });
    if (const auto *Choice = dyn_cast<SelectInst>(&I))
      return follows(Choice->getTrueValue()) &&
             follows(Choice->getFalseValue());
    const std::optional<Joint> Here = jointOf(I);
    // What is new has no part of the old in it: s + s is no sum.
    const auto Old = count_if(
        I.operands(), [&](const Use &Operand) { return follows(Operand); });
    if (!Here || Old != 1 ||
        none_of(Here->From, [&](const Value *S) { return follows(S); }) ||
        Its.value_or(Here->How) != Here->How)
      return false;
    Its = Here->How;
    return true;
  }

  /// Nothing else in the loop looks at the sum so far.
  bool isSecret(const Value &V) const {
    return all_of(V.users(), [&](const User *By) {
      const auto *I = dyn_cast<Instruction>(By);
      return !I || !L.contains(I) || By == &Phi || Links.contains(By);
    });
  }

public:
  Sum(const Loop &L, const PHINode &Phi) : L(L), Phi(Phi) {}

  bool isOne() {
    const Value *Next = Phi.getIncomingValueForBlock(L.getLoopLatch());
    return follows(Next) && isSecret(Phi) &&
           all_of(Links, [&](const Value *V) { return isSecret(*V); });
  }
};

/// Whether \p V is the same in each round, computed in the loop or before it.
bool isFixed(const Loop &L, const Value &V, unsigned Depth = 0) {
  if (L.isLoopInvariant(&V))
    return true;
  constexpr unsigned MostDepth = 8;
  const auto *I = dyn_cast<Instruction>(&V);
  return I && Depth < MostDepth && !isa<PHINode>(I) &&
         !I->mayReadOrWriteMemory() &&
         all_of(
             I->operands(),
             [&](const Use &Operand) {
               return isFixed(L, *Operand, Depth + 1);
             });
}

/// Whether \p Phi moves on by the same in each round.
bool isCounter(const Loop &L, const PHINode &Phi) {
  const Value *Next = Phi.getIncomingValueForBlock(L.getLoopLatch());
  if (const auto *Step = dyn_cast<GetElementPtrInst>(Next))
    return Step->getPointerOperand() == &Phi &&
           all_of(Step->indices(),
                  [&](const Use &I) { return isFixed(L, *I); });
  const auto *Step = dyn_cast<BinaryOperator>(Next);
  if (!Step)
    return false;
  const Value &Left = *Step->getOperand(0), &Right = *Step->getOperand(1);
  switch (Step->getOpcode()) {
  case Instruction::Add:
    return (&Left == &Phi && isFixed(L, Right)) ||
           (&Right == &Phi && isFixed(L, Left));
  case Instruction::Sub:
    return &Left == &Phi && isFixed(L, Right);
  default:
    return false;
  }
}

} // namespace

bool onlyAddsUp(const Loop &L) {
  if (!L.isInnermost() || !L.getLoopLatch() || !L.getExitingBlock())
    return false;
  for (const BasicBlock *Block : L.blocks())
    for (const Instruction &I : *Block)
      if (I.mayWriteToMemory() || I.mayThrow())
        return false;
  bool IsAny = false;
  for (const PHINode &Phi : L.getHeader()->phis()) {
    if (isCounter(L, Phi))
      continue;
    if (!Sum(L, Phi).isOne())
      return false;
    IsAny = true;
  }
  return IsAny;
}

/// What \p Outer's rounds hand on, as far as \p Pending are computed from it.
static SmallPtrSet<const PHINode *, 4>
carriedInto(SmallVector<const Value *, 32> Pending, const Loop &Outer) {
  SmallPtrSet<const PHINode *, 4> Carried;
  SmallPtrSet<const Value *, 32> Seen;
  while (!Pending.empty()) {
    const auto *I = dyn_cast<Instruction>(Pending.pop_back_val());
    if (!I || !Outer.contains(I) || !Seen.insert(I).second)
      continue;
    const auto *Phi = dyn_cast<PHINode>(I);
    if (Phi && Phi->getParent() == Outer.getHeader())
      Carried.insert(Phi);
    else
      Pending.append(I->op_begin(), I->op_end());
  }
  return Carried;
}

bool isSameInRounds(const Instruction &Access, const Loop &L) {
  const Loop *Outer = L.getParentLoop();
  const Value *Pointer = getLoadStorePointerOperand(&Access);
  return Outer && Pointer && carriedInto({Pointer}, *Outer).empty();
}

bool beginsAfresh(const Loop &L) {
  const Loop *Outer = L.getParentLoop();
  if (!Outer || !Outer->getLoopLatch())
    return false;
  SmallVector<const Value *, 32> Body;
  for (const BasicBlock *Block : L.blocks())
    for (const Instruction &I : *Block)
      Body.push_back(&I);
  if (!all_of(carriedInto(std::move(Body), *Outer),
              [&](const PHINode *Phi) { return isCounter(*Outer, *Phi); }))
    return false;
  return none_of(Outer->blocks(), [](const BasicBlock *Block) {
    return any_of(*Block, [](const Instruction &I) {
      const auto *Call = dyn_cast<CallBase>(&I);
      return I.isAtomic() || (Call && Call->isConvergent());
    });
  });
}

} // namespace warpwise::access

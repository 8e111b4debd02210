//===- LoopCounting.cpp - Loops whose rounds can be counted ---------------===//

#include "analyzer/evaluate/LoopCounting.h"

#include "analyzer/evaluate/Instructions.h"
#include "analyzer/evaluate/Slice.h"
#include "analyzer/lowering/ObjectOf.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

#include <bit>
#include <cassert>

using namespace llvm;

namespace warpwise::access {
namespace {

/// The comparison that is true when \p What is false has its operands swapped.
std::optional<Code> negated(Code What, bool &Swaps) {
  Swaps = true;
  switch (What) {
  case Code::LessS:
    return Code::LessEqualS;
  case Code::LessEqualS:
    return Code::LessS;
  case Code::LessU:
    return Code::LessEqualU;
  case Code::LessEqualU:
    return Code::LessU;
  case Code::Equal:
    Swaps = false;
    return Code::NotEqual;
  default:
    return std::nullopt;
  }
}

/// The step of a header phi: what its value in the next round is more.
struct FixedStep {
  const Value *Amount = nullptr; ///< or null: Constant
  int64_t Constant = 0;
  bool Subtract = false;
};

std::optional<FixedStep> stepOf(const PHINode &Phi, const Loop &L) {
  const BasicBlock *Latch = L.getLoopLatch();
  if (!Latch)
    return std::nullopt;
  const Value *Next = Phi.getIncomingValueForBlock(Latch);
  if (auto *Sum = dyn_cast<BinaryOperator>(Next)) {
    const bool Subtract = Sum->getOpcode() == Instruction::Sub;
    if (Sum->getOpcode() != Instruction::Add && !Subtract)
      return std::nullopt;
    const Value *A = Sum->getOperand(0), *B = Sum->getOperand(1);
    if (!Subtract && B == &Phi)
      std::swap(A, B);
    if (A != &Phi || !L.isLoopInvariant(B))
      return std::nullopt;
    return FixedStep{B, 0, Subtract};
  }
  if (auto *Address = dyn_cast<GEPOperator>(Next)) {
    const DataLayout &Layout = Phi.getModule()->getDataLayout();
    APInt Offset(Layout.getIndexTypeSizeInBits(Next->getType()), 0);
    if (Address->getPointerOperand() == &Phi &&
        Address->accumulateConstantOffset(Layout, Offset))
      return FixedStep{nullptr, Offset.getSExtValue(), false};
  }
  return std::nullopt;
}

/// The phi of the header of \p L that \p Phi follows, a round behind, or null.
const PHINode *leaderOf(const PHINode &Phi, const Loop &L) {
  const BasicBlock *Latch = L.getLoopLatch();
  const auto *Next =
      Latch ? dyn_cast<PHINode>(Phi.getIncomingValueForBlock(Latch)) : nullptr;
  return Next && Next != &Phi && Next->getParent() == L.getHeader() ? Next
                                                                    : nullptr;
}

bool leavesOnlyFromHeader(const Loop &L) {
  SmallVector<BasicBlock *, 4> Exiting;
  L.getExitingBlocks(Exiting);
  return Exiting.size() == 1 && Exiting.front() == L.getHeader();
}

/// Private arrays that are filled round by round would have holes.
bool writesPrivate(const Loop &L,
                   const DenseSet<const Instruction *> &Relevant) {
  for (BasicBlock *Block : L.blocks())
    for (Instruction &I : *Block)
      if (const MemoryReference Reference = memoryReference(I);
          Reference.Writes && Relevant.contains(&I) &&
          lowering::objectOf(Reference.Pointer).Memory == Space::Local)
        return true;
  return false;
}

} // namespace

std::optional<Countdown>
countdownOf(const Loop &L, const DenseSet<const Instruction *> &Relevant,
            function_ref<uint32_t(const Value *)> SlotOf) {
  auto *Branch = dyn_cast<BranchInst>(L.getHeader()->getTerminator());
  if (!Branch || !Branch->isConditional() || !leavesOnlyFromHeader(L) ||
      writesPrivate(L, Relevant))
    return std::nullopt;
  auto *Compare = dyn_cast<ICmpInst>(Branch->getCondition());
  if (!Compare)
    return std::nullopt;
  std::optional<Code> What = simpleCode(*Compare);
  const Value *A = Compare->getOperand(0), *B = Compare->getOperand(1);
  if (swapsOperands(*Compare))
    std::swap(A, B);
  if (!L.contains(Branch->getSuccessor(0))) {
    bool Swaps = false;
    What = negated(*What, Swaps);
    if (Swaps)
      std::swap(A, B);
  }
  if (!What || *What == Code::Equal)
    return std::nullopt;

  Countdown C;
  C.Compare = *What;
  C.Bits = uint8_t(std::min(64u, A->getType()->isPointerTy()
                                     ? 64
                                     : A->getType()->getScalarSizeInBits()));
  const BasicBlock *Latch = L.getLoopLatch();
  auto counterBehind = [&](const Value *V) -> const PHINode * {
    for (const PHINode &Phi : L.getHeader()->phis())
      if (!leaderOf(Phi, L) &&
          (V == &Phi || (Latch && V == Phi.getIncomingValueForBlock(Latch))))
        return &Phi;
    return nullptr;
  };
  C.CounterIsA = counterBehind(A) != nullptr;
  const Value *Compared = C.CounterIsA ? A : B;
  const PHINode *Counter = counterBehind(Compared);
  const Value *Bound = C.CounterIsA ? B : A;
  if (!Counter || !Relevant.contains(Counter) || !L.isLoopInvariant(Bound))
    return std::nullopt;
  C.Ahead = Compared != Counter;
  // What follows another phi reads it before that moves on.
  for (const bool Follow : {true, false})
    for (const PHINode &Phi : L.getHeader()->phis()) {
      const PHINode *Leader = leaderOf(Phi, L);
      if (!Relevant.contains(&Phi) || (Leader != nullptr) != Follow)
        continue;
      const std::optional<FixedStep> Step = stepOf(Leader ? *Leader : Phi, L);
      if (!Step)
        return std::nullopt;
      Countdown::Advance Made;
      Made.Slot = SlotOf(&Phi);
      Made.Follows = Leader ? SlotOf(Leader) : NoSlot;
      Made.Bits = Phi.getType()->isPointerTy()
                      ? 64
                      : uint8_t(std::min<uint64_t>(
                            64, Phi.getType()->getScalarSizeInBits()));
      Made.Step = Step->Amount ? SlotOf(Step->Amount) : NoSlot;
      Made.Constant = Step->Constant;
      Made.Subtract = Step->Subtract;
      if (&Phi == Counter)
        C.CounterAdvance = unsigned(C.Advances.size());
      C.Advances.push_back(Made);
    }
  C.Counter = SlotOf(Counter);
  C.Bound = SlotOf(Bound);
  return C;
}

/// What 64 bits hold is divided by one instruction, the rest by a function.
static uint64_t divide(__int128 A, int64_t B) {
  return A == int64_t(A) ? uint64_t(int64_t(A) / B) : uint64_t(A / B);
}

std::optional<uint64_t> remainingRounds(const Countdown &C,
                                        const std::vector<LaneValue> &Registers,
                                        uint32_t Active) {
  assert(Active != 0 && C.CounterAdvance < C.Advances.size());
  const LaneValue &Counter = Registers[C.Counter], &Bound = Registers[C.Bound];
  if (((Counter.Unknown | Bound.Unknown) & Active) ||
      ((Counter.From | Bound.From) & OriginAssumed))
    return std::nullopt;
  const bool Signed = C.Compare == Code::LessS || C.Compare == Code::LessEqualS;
  const Countdown::Advance &Advance = C.Advances[C.CounterAdvance];
  uint64_t Fewest = 0;
  const bool Uniform = Counter.Uniform && Bound.Uniform;
  for (uint32_t Left = Uniform ? Active & -Active : Active; Left != 0;
       Left &= Left - 1) {
    const unsigned L = std::countr_zero(Left);
    // Wide enough for the distance between any two numbers of 64 bits.
    auto number = [&](uint64_t V) {
      return Signed ? __int128(signExtend(V, C.Bits)) : __int128(V);
    };
    int64_t Step =
        Advance.Step == NoSlot
            ? Advance.Constant
            : signExtend(Registers[Advance.Step].lane(L), Advance.Bits);
    if (Advance.Subtract)
      Step = -Step;
    const __int128 At = number(
        truncateTo(Counter.lane(L) + uint64_t(C.Ahead ? Step : 0), C.Bits));
    // Less: distance to go up for a counter on the left, down on the right.
    const __int128 Distance =
        C.CounterIsA ? number(Bound.lane(L)) - At : At - number(Bound.lane(L));
    const int64_t Towards = C.CounterIsA ? Step : -Step;
    if (C.Compare == Code::NotEqual) {
      if (Distance == 0)
        continue;
      if (Towards == 0 || Distance % Towards != 0 || Distance / Towards < 0)
        return std::nullopt;
      const uint64_t Rounds = uint64_t(Distance / Towards);
      Fewest = Fewest ? std::min(Fewest, Rounds) : Rounds;
      continue;
    }
    const bool OrEqual =
        C.Compare == Code::LessEqualS || C.Compare == Code::LessEqualU;
    if (Distance < 0 || (Distance == 0 && !OrEqual))
      continue; // this lane leaves
    if (Towards <= 0)
      return std::nullopt;
    const uint64_t Rounds = OrEqual ? divide(Distance, Towards) + 1
                                    : divide(Distance - 1, Towards) + 1;
    Fewest = Fewest ? std::min(Fewest, Rounds) : Rounds;
  }
  return Fewest;
}

} // namespace warpwise::access

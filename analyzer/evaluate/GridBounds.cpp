//===- GridBounds.cpp - Numbers that the grid is held against -------------===//
//
// Looks at what an argument is compared with, and what that is computed from.
//
//===----------------------------------------------------------------------===//

#include "analyzer/evaluate/GridBounds.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

#include <algorithm>
#include <utility>

using namespace llvm;

namespace warpwise::access {

namespace {

/// What a number is computed from, as far as it can be followed without memory.
struct Sources {
  std::array<bool, 3> Blocks{}; ///< axes whose blockIdx is among them
  bool HasGridSize = false, HasRounds = false;

  bool hasBlock() const { return Blocks[0] || Blocks[1] || Blocks[2]; }
};

Sources sourcesOf(const Value *V) {
  constexpr unsigned Most = 64; // values that are looked at
  Sources Found;
  SmallPtrSet<const Value *, 16> Seen{V};
  SmallVector<const Value *, 16> Pending{V};
  while (!Pending.empty() && Seen.size() < Most) {
    const auto *I = dyn_cast<Instruction>(Pending.pop_back_val());
    if (!I || I->mayReadFromMemory())
      continue;
    if (const auto *Call = dyn_cast<IntrinsicInst>(I))
      switch (Call->getIntrinsicID()) {
      case Intrinsic::nvvm_read_ptx_sreg_ctaid_x:
        Found.Blocks[0] = true;
        break;
      case Intrinsic::nvvm_read_ptx_sreg_ctaid_y:
        Found.Blocks[1] = true;
        break;
      case Intrinsic::nvvm_read_ptx_sreg_ctaid_z:
        Found.Blocks[2] = true;
        break;
      case Intrinsic::nvvm_read_ptx_sreg_nctaid_x:
      case Intrinsic::nvvm_read_ptx_sreg_nctaid_y:
      case Intrinsic::nvvm_read_ptx_sreg_nctaid_z:
        Found.HasGridSize = true;
        break;
      default:
        break;
      }
    Found.HasRounds |= isa<PHINode>(I);
    for (const Value *Of : I->operands())
      if (Seen.insert(Of).second)
        Pending.push_back(Of);
  }
  return Found;
}

/// How many times as large \p Number is as what \p By makes of it; nothing
/// where it is something else.
std::optional<uint64_t> scaleOf(const Instruction &By, const Value *Number) {
  if (isa<CastInst>(By))
    return 1;
  const auto *Other = By.getNumOperands() == 2
                          ? dyn_cast<ConstantInt>(By.getOperand(1))
                          : nullptr;
  if (!Other || By.getOperand(0) != Number)
    return std::nullopt;
  constexpr uint64_t MostScale = 64;
  const uint64_t Its = Other->getValue().abs().getLimitedValue();
  switch (By.getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
    return 1;
  case Instruction::UDiv:
  case Instruction::SDiv:
    return Its > 0 && Its <= MostScale ? std::optional(Its) : std::nullopt;
  case Instruction::LShr:
  case Instruction::AShr:
    return Its < 7 ? std::optional(uint64_t(1) << Its) : std::nullopt;
  default:
    return std::nullopt;
  }
}

} // namespace

std::optional<GridBound> gridBoundOf(const Value &Number) {
  constexpr unsigned Most = 16; // numbers derived from it
  GridBound Result;
  SmallVector<std::pair<const Value *, uint64_t>, 8> Pending{{&Number, 1}};
  for (unsigned N = 0; N != Pending.size() && N != Most; ++N) {
    const auto [V, Scale] = Pending[N];
    for (const User *Its : V->users()) {
      const auto *I = dyn_cast<Instruction>(Its);
      if (!I)
        return std::nullopt;
      if (const auto *Test = dyn_cast<ICmpInst>(I)) {
        const Value *Other = Test->getOperand(Test->getOperand(0) == V);
        if (isa<Constant>(Other))
          continue;
        const Sources Its = sourcesOf(Other);
        if (!Its.hasBlock())
          return std::nullopt;
        for (unsigned Axis = 0; Axis != 3; ++Axis)
          Result.Axes[Axis] |= Its.Blocks[Axis];
        Result.IsWalked |= Its.HasRounds && Its.HasGridSize;
        Result.Scale = std::max(Result.Scale, Scale);
      } else if (const auto Times = scaleOf(*I, V)) {
        Pending.emplace_back(I, Scale * *Times);
      }
    }
  }
  const bool IsAny = std::ranges::find(Result.Axes, true) != Result.Axes.end();
  return IsAny ? std::optional(Result) : std::nullopt;
}

} // namespace warpwise::access

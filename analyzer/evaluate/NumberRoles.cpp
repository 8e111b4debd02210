//===- NumberRoles.cpp - What numbers that nobody knows are for -----------===//
//
// Looks at what a number is compared with, multiplied and added to.
//
//===----------------------------------------------------------------------===//

#include "analyzer/evaluate/NumberRoles.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/PatternMatch.h"

#include <algorithm>
#include <set>
#include <utility>

using namespace llvm;

namespace warpwise::access {

static bool isLessOne(const BinaryOperator &O) {
  const auto *Number = dyn_cast<ConstantInt>(O.getOperand(1));
  return Number &&
         ((O.getOpcode() == Instruction::Add && Number->isMinusOne()) ||
          (O.getOpcode() == Instruction::Sub && Number->isOne()));
}

Role roleOf(const Value &A) {
  if (A.getType()->getScalarSizeInBits() <= 8)
    return Role::Flag;
  SmallVector<const Value *, 8> Pending{&A};
  for (unsigned N = 0; N != Pending.size() && N != 16; ++N)
    for (const User *U : Pending[N]->users()) {
      // "max(-R, -X)" is what the negative of "min(R, X)" is.
      if (isa<CastInst, MinMaxIntrinsic>(U))
        Pending.push_back(U);
      auto *Operator = dyn_cast<BinaryOperator>(U);
      if (!Operator)
        continue;
      if (Operator->getOpcode() == Instruction::Sub &&
          match(Operator->getOperand(0), PatternMatch::m_Zero()))
        return Role::Radius;
      if (Operator->isShift() && Operator->getOperand(1) == Pending[N])
        return Role::Shift;
      if (isLessOne(*Operator) && any_of(Operator->users(), [](const User *M) {
            return isa<BinaryOperator>(M) &&
                   cast<BinaryOperator>(M)->getOpcode() == Instruction::And;
          }))
        return Role::Mask;
    }
  return Role::Extent;
}

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

std::optional<uint64_t> comparedWith(const Value &Number) {
  constexpr unsigned Most = 16; // values that are looked at
  constexpr uint64_t MostMembers = 64;
  uint64_t Largest = 0;
  bool IsStride = false;
  SmallVector<const Value *, 8> Pending{&Number};
  const auto compare = [&](const Value *With) {
    if (const auto *Its = dyn_cast<ConstantInt>(With))
      Largest = std::max(Largest, Its->getValue().getLimitedValue());
  };
  for (unsigned N = 0; N != Pending.size() && N != Most; ++N)
    for (const User *Its : Pending[N]->users()) {
      if (isa<CastInst>(Its))
        Pending.push_back(Its);
      else if (const auto *Test = dyn_cast<ICmpInst>(Its);
               Test && Test->isEquality())
        compare(Test->getOperand(Test->getOperand(0) == Pending[N]));
      else if (const auto *Switch = dyn_cast<SwitchInst>(Its))
        for (const auto &Case : Switch->cases())
          compare(Case.getCaseValue());
      else if (const auto *Operator = dyn_cast<BinaryOperator>(Its))
        IsStride |= Operator->getOpcode() == Instruction::Mul;
    }
  return IsStride && Largest > 1 && Largest <= MostMembers
             ? std::optional(Largest)
             : std::nullopt;
}

bool hangsOnGridSize(const Value &V) { return sourcesOf(&V).HasGridSize; }

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

/// Whether \p V is computed from arguments alone.
static bool isGiven(const Value *V, unsigned Depth = 0) {
  constexpr unsigned MostDepth = 8;
  const auto *I = dyn_cast<Instruction>(V);
  if (!I)
    return true;
  return Depth != MostDepth && !isa<PHINode, CallInst>(I) &&
         !I->mayReadFromMemory() &&
         std::ranges::all_of(I->operands(), [&](const Use &Of) {
           return isGiven(Of, Depth + 1);
         });
}

namespace {

/// What a number leads to: multiples of it, and pointers that these move.
class ElementStride {
  SmallPtrSet<const Value *, 16> Multiples, Pointers;
  SmallVector<const GetElementPtrInst *, 8> Addresses; ///< by multiples
  std::set<uint64_t> Members; ///< that constants ask for, but the first
  bool AsksForFirst = false;

public:
  /// The stride; nothing where \p Number is used otherwise than to compute
  /// addresses, or where something is added that is no multiple and differs
  /// between threads or blocks.
  std::optional<uint64_t> of(const Value &Number) {
    const bool LeadsOnly =
        collectMultiples(Number) && !Addresses.empty() && collectPointers() &&
        std::ranges::all_of(Addresses, [&](const GetElementPtrInst *Its) {
          return Pointers.contains(Its);
        });
    // One of them may be a column of a matrix as well.
    if (!LeadsOnly || (Members.size() == 1 && !AsksForFirst))
      return std::nullopt;
    return Members.empty() ? 1 : *Members.rbegin() + 1;
  }

private:
  static constexpr unsigned Most = 64; // values that are looked at

  /// What may be added, counted in \p Units of an element.
  bool isEven(const Value *V, double Units = 1) {
    if (Multiples.contains(V))
      return true;
    if (!isa<Constant>(V))
      return isGiven(V);
    const auto *Member = dyn_cast<ConstantInt>(V);
    if (!Member || Member->isNegative() ||
        Member->getValue().getActiveBits() > 32)
      return false;
    constexpr double MostMembers = 64;
    const double Its = double(Member->getZExtValue()) * Units;
    if (Its >= 1)
      Members.insert(uint64_t(Its));
    return Its < MostMembers;
  }

  /// Whether a constant says which member \p Pointer leads to.
  static bool isMember(const Value &Pointer) {
    const auto *Address = dyn_cast<GetElementPtrInst>(&Pointer);
    const auto *Sum = Address && Address->getNumIndices() == 1
                          ? dyn_cast<BinaryOperator>(Address->getOperand(1))
                          : nullptr;
    return Address && (Address->hasAllConstantIndices() ||
                       (Sum && isa<Constant>(Sum->getOperand(1)) &&
                        Sum->getOpcode() == Instruction::Add));
  }

  /// Bytes of what the indices of \p Address count.
  static double unitOf(const GetElementPtrInst &Address) {
    const Type *T = Address.getSourceElementType();
    return std::max(1.0, double(T->getPrimitiveSizeInBits()) / 8);
  }

  bool collectMultiples(const Value &Number) {
    SmallVector<const Value *, 16> Pending{&Number};
    for (unsigned N = 0; N != Pending.size(); ++N) {
      if (N == Most)
        return false;
      for (const Use &Its : Pending[N]->uses()) {
        const auto *I = dyn_cast<Instruction>(Its.getUser());
        if (!I)
          return false;
        const Value *Other = I->getNumOperands() == 2
                                 ? I->getOperand(1 - Its.getOperandNo())
                                 : nullptr;
        if (const auto *Address = dyn_cast<GetElementPtrInst>(I)) {
          if (Address->getNumIndices() != 1)
            return false;
          Addresses.push_back(Address);
          continue;
        }
        switch (I->getOpcode()) {
        case Instruction::ICmp: // "if (IncX < 0)"
          if (!isa<Constant>(Other))
            return false;
          continue;
        case Instruction::Add:
        case Instruction::Sub:
          if (!isEven(Other))
            return false;
          break;
        case Instruction::Mul:
        case Instruction::Shl:
        case Instruction::SExt:
        case Instruction::ZExt:
        case Instruction::Trunc:
          break;
        default:
          return false;
        }
        if (Multiples.insert(I).second)
          Pending.push_back(I);
      }
    }
    return true;
  }

  bool collectPointers() {
    SmallVector<const Value *, 16> Pending;
    const auto add = [&](const Value *V) {
      if (Pointers.insert(V).second)
        Pending.push_back(V);
    };
    for (const GetElementPtrInst *Its : Addresses)
      if (isGiven(Its->getPointerOperand()))
        add(Its);
    for (unsigned N = 0; N != Pending.size(); ++N) {
      if (N == Most)
        return false;
      for (const User *Its : Pending[N]->users()) {
        const auto *Address = dyn_cast<GetElementPtrInst>(Its);
        if (Address &&
            !std::ranges::all_of(Address->indices(), [&](const Use &Index) {
              return isEven(Index,
                            unitOf(*Address) / unitOf(*Addresses.front()));
            }))
          return false;
        if (Address || isa<PHINode, CastInst>(Its))
          add(Its);
        else
          AsksForFirst |= !isMember(*Pending[N]);
      }
    }
    return true;
  }
};

} // namespace

std::optional<uint64_t> elementStrideOf(const Value &Number) {
  return ElementStride().of(Number);
}

} // namespace warpwise::access

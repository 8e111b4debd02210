//===- UnknownLayout.cpp - Indices of which any may be the fast one -------===//

#include "analyzer/evaluate/UnknownLayout.h"

#include "analyzer/evaluate/Uniformity.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

#include <algorithm>

using namespace llvm;

namespace warpwise::access {
namespace {

constexpr unsigned MostDepth = 12;

/// Whether all threads have the same \p V, which comes from the arguments or
/// from where these lead.
bool isGiven(const Value *V) { return isComputedFrom(V, Inputs::Tables); }

/// The channels of a pixel: a loop of so few rounds runs along the fastest
/// index, and how far the next one's elements are apart that does not say.
constexpr uint64_t MostChannels = 4;

/// Whether \p V counts the rounds of such a loop.
bool countsChannels(const PHINode &V) {
  const auto isCompared = [](const Value &To) {
    return any_of(To.users(), [](const User *Its) {
      const auto *Limit = isa<ICmpInst>(Its)
                              ? dyn_cast<ConstantInt>(Its->getOperand(1))
                              : nullptr;
      return Limit && Limit->getValue().ule(MostChannels);
    });
  };
  return any_of(V.incoming_values(), [&](const Use &Next) {
    const auto *Sum = dyn_cast<BinaryOperator>(&Next);
    return Sum && Sum->getOpcode() == Instruction::Add &&
           Sum->getOperand(0) == &V && isa<ConstantInt>(Sum->getOperand(1)) &&
           (isCompared(V) || isCompared(*Sum));
  });
}

const Value *withoutCasts(const Value *V) {
  while (const auto *Cast = dyn_cast<CastInst>(V))
    V = Cast->getOperand(0);
  return V;
}

/// If \p V adds up, round by round of a loop, indices times strides of a table,
/// the load of those: "for (D...) Offset += Index[D] * Stride[D]". Else null.
const LoadInst *strideOfTable(const PHINode &V) {
  const auto isOfTable = [&V](const LoadInst &Load) {
    const auto *Place = dyn_cast<GEPOperator>(Load.getPointerOperand());
    return Place && isGiven(Place->getPointerOperand()) &&
           any_of(Place->indices(), [&](const Use &I) {
             const auto *Round = dyn_cast<PHINode>(withoutCasts(I));
             return Round && Round->getParent() == V.getParent();
           });
  };
  for (const Use &Next : V.incoming_values()) {
    const auto *Sum = dyn_cast<BinaryOperator>(&Next);
    if (!Sum || Sum->getOpcode() != Instruction::Add ||
        !is_contained(Sum->operands(), &V))
      continue;
    const auto *Term =
        dyn_cast<BinaryOperator>(Sum->getOperand(Sum->getOperand(0) == &V));
    if (!Term || Term->getOpcode() != Instruction::Mul)
      continue;
    for (const Value *Factor : Term->operands())
      if (const auto *Load = dyn_cast<LoadInst>(withoutCasts(Factor));
          Load && isOfTable(*Load))
        return Load;
  }
  return nullptr;
}

/// A sum of indices, each with the given values that it is multiplied with.
/// Channels do not count.
class Sum {
  using Factors = SmallVector<const Value *, 4>;
  SmallVector<Factors, 4> Strides;
  bool HasFastIndex = false, HasTable = false;

public:
  void add(const Value *V, unsigned Depth = 0) {
    if (const auto *Offset = dyn_cast<PHINode>(V))
      if (const LoadInst *Stride = strideOfTable(*Offset)) {
        HasTable = true;
        Strides.push_back({Stride});
        return;
      }
    if (isGiven(V))
      return addUniform(V);
    const auto *I = dyn_cast<Instruction>(V);
    if (!I || Depth == MostDepth) {
      HasFastIndex = true;
      return;
    }
    if (const auto *Round = dyn_cast<PHINode>(I);
        Round && countsChannels(*Round))
      return;
    switch (I->getOpcode()) {
    case Instruction::SExt:
    case Instruction::ZExt:
    case Instruction::Trunc:
      return add(I->getOperand(0), Depth + 1);
    case Instruction::Add:
    case Instruction::Sub:
      add(I->getOperand(0), Depth + 1);
      return add(I->getOperand(1), Depth + 1);
    case Instruction::Mul: {
      Factors Given;
      multiply(V, Given, Depth);
      std::sort(Given.begin(), Given.end());
      HasFastIndex |= Given.empty();
      Strides.push_back(std::move(Given));
      return;
    }
    case Instruction::Or:
    case Instruction::Shl:
    case Instruction::SDiv:
    case Instruction::UDiv:
    case Instruction::AShr:
    case Instruction::LShr:
      // Which member of a record it is, and of a vector.
      if (isa<Constant>(I->getOperand(1)))
        return add(I->getOperand(0), Depth + 1);
      [[fallthrough]];
    default:
      HasFastIndex = true;
    }
  }

  bool isAmbiguous() const {
    if (HasFastIndex)
      return false;
    return HasTable || any_of(Strides, [&](const Factors &A) {
             return any_of(Strides, [&](const Factors &B) {
               return !std::includes(A.begin(), A.end(), B.begin(), B.end()) &&
                      !std::includes(B.begin(), B.end(), A.begin(), A.end());
             });
           });
  }

  std::vector<const Value *> given() const {
    std::vector<const Value *> Found;
    for (const Factors &F : Strides)
      Found.insert(Found.end(), F.begin(), F.end());
    return Found;
  }

private:
  /// The third row, say: what all threads add is a stride of its own where it
  /// is a multiple of something given.
  void addUniform(const Value *V) {
    V = withoutCasts(V);
    Factors Given;
    multiply(V, Given, 0);
    if (Given.size() == 1 && Given.front() != V)
      Strides.push_back(std::move(Given));
  }

  /// Collects into \p Given what the product \p V has of given values.
  static void multiply(const Value *V, Factors &Given, unsigned Depth) {
    if (const auto *Cast = dyn_cast<CastInst>(V); Cast && Depth != MostDepth)
      return multiply(Cast->getOperand(0), Given, Depth + 1);
    const auto *I = dyn_cast<BinaryOperator>(V);
    if (I && Depth != MostDepth && I->getOpcode() == Instruction::Shl &&
        isa<Constant>(I->getOperand(1)))
      return multiply(I->getOperand(0), Given, Depth + 1);
    if (I && I->getOpcode() == Instruction::Mul && Depth != MostDepth) {
      multiply(I->getOperand(0), Given, Depth + 1);
      return multiply(I->getOperand(1), Given, Depth + 1);
    }
    if (isGiven(V) && !isa<Constant>(V))
      Given.push_back(V);
  }
};

/// \p V without what is constant about it.
const Value *withoutConstants(const Value *V) {
  while (const auto *I = dyn_cast<Instruction>(V)) {
    if (!isa<CastInst>(I) && !(I->getOpcode() == Instruction::Add &&
                               isa<Constant>(I->getOperand(1))))
      break;
    V = I->getOperand(0);
  }
  return V;
}

/// Whether something given is a factor of a term of \p V: rows of rows.
bool hasGivenFactor(const Value *V, unsigned Depth = 0) {
  const auto *I = dyn_cast<Instruction>(withoutConstants(V));
  if (!I || Depth == MostDepth)
    return false;
  if (I->getOpcode() == Instruction::Mul)
    return any_of(I->operands(), [](const Use &Factor) {
      return isGiven(Factor) && !isa<Constant>(Factor);
    });
  return (I->getOpcode() == Instruction::Add ||
          I->getOpcode() == Instruction::Sub) &&
         any_of(I->operands(), [&](const Use &Term) {
           return hasGivenFactor(Term, Depth + 1);
         });
}

/// Whether \p V is a multiple of \p Step, whatever all else is; or of one more,
/// as the diagonal of a matrix is of its pitch.
bool isMultiple(const Value *V, const Value &Step,
                SmallPtrSetImpl<const Value *> &Seen) {
  const auto *I = dyn_cast<Instruction>(V);
  if (!I)
    return match(V, PatternMatch::m_Zero());
  if (!Seen.insert(I).second)
    return true; // as far as this loop goes
  const auto isToo = [&](const Use &Of) { return isMultiple(Of, Step, Seen); };
  switch (I->getOpcode()) {
  case Instruction::Mul:
    return none_of(I->operands(),
                   [](const Use &F) { return hasGivenFactor(F); }) &&
           any_of(I->operands(), [&](const Use &Factor) {
             return withoutConstants(Factor) == &Step;
           });
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::PHI:
  case Instruction::SExt:
  case Instruction::ZExt:
  case Instruction::Trunc:
    return all_of(I->operands(), isToo);
  default:
    return false;
  }
}

bool isOnlyMultiplied(const Value &V) {
  return all_of(V.users(), [](const User *Its) {
    const auto *I = cast<Instruction>(Its);
    return I->getOpcode() == Instruction::Mul ||
           (withoutConstants(I) != I && isOnlyMultiplied(*I));
  });
}

/// Where a member of an argument is loaded from.
std::pair<const Value *, APInt> placeOf(const LoadInst &Load) {
  const DataLayout &Layout = Load.getDataLayout();
  APInt Offset(Layout.getIndexTypeSizeInBits(Load.getPointerOperandType()), 0);
  const Value *Base =
      Load.getPointerOperand()->stripAndAccumulateConstantOffsets(
          Layout, Offset, /*AllowNonInbounds=*/true);
  return {Base, Offset};
}

/// Whether nothing is done with \p V but that it is multiplied: it is the
/// length of nothing that a loop walks along. A member is loaded for each use.
bool onlyMultiplies(const Value &V) {
  const auto *Load = dyn_cast<LoadInst>(&V);
  if (!Load)
    return isOnlyMultiplied(V);
  return all_of(instructions(*Load->getFunction()), [&](const Instruction &I) {
    const auto *Other = dyn_cast<LoadInst>(&I);
    return !Other || placeOf(*Other) != placeOf(*Load) ||
           isOnlyMultiplied(*Other);
  });
}

/// What is multiplied with something given on the way to an index, where loops
/// start and what limits them included.
class Products {
  SmallVector<const Value *, 8> Factors; ///< given, of all products
  /// Those of which all other factors differ by thread or round.
  SmallVector<std::pair<const Instruction *, const Value *>, 4> Steps;
  SmallPtrSet<const Value *, 16> Seen;

public:
  void add(const Value *V, unsigned Depth = 0) {
    const auto *I = dyn_cast<Instruction>(V);
    if (!I || Depth == MostDepth || !Seen.insert(V).second)
      return;
    if (I->getOpcode() == Instruction::Mul) {
      const Value *A = I->getOperand(0), *B = I->getOperand(1);
      if (isGiven(A))
        std::swap(A, B);
      const Value *By = withoutCasts(B);
      if (isGiven(By) && !isa<Constant>(By)) {
        Factors.push_back(By);
        if (!isGiven(A))
          Steps.push_back({I, By});
      }
      return add(A, Depth + 1);
    }
    if (isa<CastInst, PHINode>(I) || isSum(*I) || isExtreme(*I))
      for (const Value *Of : I->operands())
        add(Of, Depth + 1);
  }

  /// Steps of windows, see shortSteps().
  std::vector<const Value *> stepsWithinRows() const {
    std::vector<const Value *> Found;
    for (const auto &[Product, By] : Steps)
      for (const Value *Width : Factors)
        if (Width != By && staysWithin(*Product, *Width)) {
          Found.push_back(By);
          break;
        }
    return Found;
  }

  /// Those that \p Index is a multiple of, and that the kernel does nothing
  /// with but multiply: how far the elements of a vector are apart.
  std::vector<const Value *> incrementsOf(const Value &Index) const {
    std::vector<const Value *> Found;
    for (const Value *Its : Factors) {
      SmallPtrSet<const Value *, 16> Reached;
      Its = withoutConstants(Its);
      if (isa<Argument, LoadInst>(Its) && onlyMultiplies(*Its) &&
          isMultiple(&Index, *Its, Reached))
        Found.push_back(Its);
    }
    return Found;
  }

private:
  static bool isSum(const Instruction &I) {
    return I.getOpcode() == Instruction::Add ||
           I.getOpcode() == Instruction::Sub;
  }
  static bool isExtreme(const Instruction &I) {
    return isa<MinMaxIntrinsic>(I);
  }

  /// Whether \p Width is a term of the sum \p V.
  static bool hasTerm(const Value *V, const Value &Width, unsigned Depth = 0) {
    V = withoutCasts(V);
    const auto *I = dyn_cast<Instruction>(V);
    return V == &Width || (I && isSum(*I) && Depth != MostDepth &&
                           any_of(I->operands(), [&](const Use &Term) {
                             return hasTerm(Term, Width, Depth + 1);
                           }));
  }

  /// Whether \p Product, or a sum of which it is part, is compared with
  /// \p Width or taken from it.
  static bool staysWithin(const Instruction &Product, const Value &Width) {
    SmallVector<const Instruction *, 8> Pending = {&Product};
    SmallPtrSet<const Instruction *, 16> Reached = {&Product};
    while (!Pending.empty() && Reached.size() < 64) {
      const Instruction *Now = Pending.pop_back_val();
      for (const User *Its : Now->users()) {
        const auto *I = cast<Instruction>(Its);
        const bool IsSum = isSum(*I);
        if ((IsSum || isa<ICmpInst>(I) || isExtreme(*I)) &&
            any_of(I->operands(), [&](const Use &Other) {
              return Other != Now && hasTerm(Other, Width);
            }))
          return true;
        if ((IsSum || isa<CastInst>(I)) && Reached.insert(I).second)
          Pending.push_back(I);
      }
    }
    return false;
  }
};

/// See laneStrides().
class LaneStrides {
  SmallSetVector<const Value *, 4> Found;
  SmallPtrSet<const Value *, 16> Seen;

public:
  void add(const Value *V, unsigned Depth = 0) {
    const auto *I = dyn_cast<Instruction>(V);
    if (!I || Depth == MostDepth || isOfBlock(V) || !Seen.insert(V).second)
      return;
    if (I->getOpcode() == Instruction::Mul)
      for (const Value *Factor : I->operands())
        if (isOfBlock(Factor))
          addFactors(Factor);
    const bool IsPart = is_contained({Instruction::SDiv, Instruction::UDiv,
                                      Instruction::AShr, Instruction::LShr},
                                     I->getOpcode()) &&
                        isa<Constant>(I->getOperand(1)); // "I * Width / 4"
    if (isa<CastInst, PHINode, SelectInst, MinMaxIntrinsic>(I) || IsPart ||
        is_contained({Instruction::Mul, Instruction::Shl, Instruction::Add,
                      Instruction::Sub, Instruction::Or},
                     I->getOpcode()))
      for (const Value *Of : I->operands())
        add(Of, Depth + 1);
  }

  std::vector<const Value *> found() const {
    return {Found.begin(), Found.end()};
  }

private:
  static bool isOfBlock(const Value *V) {
    return isComputedFrom(V, Inputs::Tables | Inputs::BlockIds);
  }

  void addFactors(const Value *Factor, unsigned Depth = 0) {
    Factor = withoutConstants(Factor);
    if (isa<Argument, LoadInst>(Factor))
      Found.insert(Factor);
    const auto *I = dyn_cast<BinaryOperator>(Factor);
    if (I && Depth != MostDepth &&
        is_contained({Instruction::Mul, Instruction::Shl}, I->getOpcode()))
      for (const Value *Its : I->operands())
        addFactors(Its, Depth + 1);
  }
};

/// Calls \p Take with each index on the way to \p Pointer.
void forEachIndex(const Value *Pointer,
                  function_ref<void(const Value *)> Take) {
  for (unsigned Depth = 0; Depth != MostDepth; ++Depth) {
    Pointer = Pointer->stripPointerCasts();
    const auto *Address = dyn_cast<GEPOperator>(Pointer);
    if (!Address)
      return;
    for (const Value *Index : Address->indices())
      Take(Index);
    Pointer = Address->getPointerOperand();
  }
}

} // namespace

std::vector<const Value *> openStrides(const Value *Pointer) {
  Sum Indices;
  forEachIndex(Pointer, [&](const Value *Index) { Indices.add(Index); });
  return Indices.isAmbiguous() ? Indices.given() : std::vector<const Value *>();
}

std::vector<const Value *> shortSteps(const Value *Pointer) {
  Products Indices;
  const Value *Only = nullptr;
  unsigned Others = 0;
  forEachIndex(Pointer, [&](const Value *Index) {
    Indices.add(Index);
    if (!match(Index, PatternMatch::m_Zero())) {
      Only = Index;
      ++Others;
    }
  });
  std::vector<const Value *> Found = Indices.stepsWithinRows();
  if (Others == 1) {
    const std::vector<const Value *> Increments = Indices.incrementsOf(*Only);
    Found.insert(Found.end(), Increments.begin(), Increments.end());
  }
  return Found;
}

std::vector<const Value *> laneStrides(const Value *Pointer) {
  LaneStrides Indices;
  forEachIndex(Pointer, [&](const Value *Index) { Indices.add(Index); });
  return Indices.found();
}

} // namespace warpwise::access

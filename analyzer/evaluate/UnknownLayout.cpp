//===- UnknownLayout.cpp - Indices of which any may be the fast one -------===//

#include "analyzer/evaluate/UnknownLayout.h"

#include "analyzer/evaluate/Uniformity.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

#include <algorithm>

using namespace llvm;

namespace warpwise::access {
namespace {

constexpr unsigned MostDepth = 12;

/// Whether all threads have the same \p V, which comes from the arguments.
bool isGiven(const Value *V) { return isUniform(V, Inputs::Arguments); }

/// A sum of indices, each with the given values that it is multiplied with.
class Sum {
  using Factors = SmallVector<const Value *, 4>;
  SmallVector<Factors, 4> Strides;
  bool HasFastIndex = false;

public:
  void add(const Value *V, unsigned Depth = 0) {
    if (isGiven(V))
      return addUniform(V);
    const auto *I = dyn_cast<Instruction>(V);
    if (!I || Depth == MostDepth) {
      HasFastIndex = true;
      return;
    }
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
    default:
      HasFastIndex = true;
    }
  }

  bool isAmbiguous() const {
    return !HasFastIndex && any_of(Strides, [&](const Factors &A) {
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
    while (const auto *Cast = dyn_cast<CastInst>(V))
      V = Cast->getOperand(0);
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

} // namespace

std::vector<const Value *> openStrides(const Value *Pointer) {
  Sum Indices;
  for (unsigned Depth = 0; Depth != MostDepth; ++Depth) {
    Pointer = Pointer->stripPointerCasts();
    const auto *Address = dyn_cast<GEPOperator>(Pointer);
    if (!Address)
      break;
    for (const Value *Index : Address->indices())
      Indices.add(Index);
    Pointer = Address->getPointerOperand();
  }
  return Indices.isAmbiguous() ? Indices.given() : std::vector<const Value *>();
}

} // namespace warpwise::access

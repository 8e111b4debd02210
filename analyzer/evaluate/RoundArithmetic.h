//===- RoundArithmetic.h - Numbers from round to round ----------*- C++ -*-===//
//
// What nvcc need not compute in each round: what stays as it is, what grows by
// as much each time, and what is a constant where the rounds are written out.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_EVALUATE_ROUNDARITHMETIC_H
#define WARPWISE_ANALYZER_EVALUATE_ROUNDARITHMETIC_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"

#include <deque>
#include <memory>

namespace llvm {
class GetElementPtrInst;
class Instruction;
class Loop;
class PHINode;
class Value;
} // namespace llvm

namespace warpwise::access {

/// Whether \p I is a sum, or what InstCombine makes of one whose operands have
/// no bit in common.
bool isSum(const llvm::Instruction &I);

/// How a number grows from round to round of a loop.
enum class Growth {
  None,     ///< it is the same in every round
  Constant, ///< by as much each time, and the code says by how much
  Even,     ///< by as much each time, which only the launch says
  Unknown
};

/// Numbers that grow evenly: compilers keep one sum for each address instead of
/// computing it again in every round.
class Counting {
  const llvm::Loop *L;
  bool IsWhole; ///< each round is written out: its counter is a constant
  Counting *Inside = nullptr;      ///< of loops in it that are written out
  std::unique_ptr<Counting> Outer; ///< of the loop around, if that is, too
  llvm::DenseMap<const llvm::Instruction *, bool> Invariant, InAll;
  llvm::DenseMap<const llvm::Instruction *, Growth> Known;
  llvm::DenseMap<const llvm::Instruction *, bool> Folds;
  llvm::DenseMap<const llvm::Instruction *, bool> Apart; ///< differsByConstants

  /// Whether \p I is the same in every round.
  bool isSame(const llvm::Instruction &I);
  Growth ofPhi(const llvm::PHINode &Phi);
  /// A variable of the loop that begins as a constant, or as one in each round
  /// of the loop around, and of which each next value is computed from
  /// constants and such variables.
  bool isFoldedPhi(const llvm::PHINode &Phi);
  bool isFoldedValue(const llvm::Value *V);
  Growth compute(const llvm::Instruction &I);
  /// Whether \p I adds up what differs by constants, as
  /// differsByConstants has it.
  bool addsUpSuch(const llvm::Instruction &I);

public:
  /// \p Whole as in Unrolling. Without a loop nothing grows.
  explicit Counting(const llvm::Loop *L, llvm::ArrayRef<unsigned> Whole = {});

  /// Of a loop around those that \p Inside looks at, which are written out.
  Counting(const llvm::Loop *L, Counting &Inside)
      : L(L), IsWhole(false), Inside(&Inside) {}

  bool isWhole() const { return IsWhole; }

  /// Whether \p I is a constant in each of the rounds that are written out.
  bool isFolded(const llvm::Instruction &I);

  /// Whether \p V is a constant in each of the rounds that are written out.
  bool isWrittenOut(const llvm::Value *V) {
    return IsWhole && isFoldedValue(V);
  }

  /// Of all the loops that are written out, one in the other.
  const llvm::Loop *outermost() const { return Outer ? Outer->outermost() : L; }

  /// Whether all the rounds that are written out have the same value but for
  /// constants that are added to it.
  bool differsByConstants(const llvm::Value *V);

  Growth of(const llvm::Value *V);

  /// Whether \p V grows by as much in each round.
  bool growsEvenly(const llvm::Value *V);

  /// Whether \p I is part of nothing but addresses that grow evenly.
  bool isAbsorbed(const llvm::Instruction &I);
};

/// Numbers that a loop which is written out as a whole computes, each round its
/// own, but the loop around it always the same, or each time by as much more:
/// nvcc computes them once, and keeps a sum for each that grows.
class ComputedOnce {
  /// A loop around some of those written out.
  struct Level {
    Counting Inside; ///< of the loops in it
    Counting Around;
    Level(const llvm::Loop *Around, const llvm::Loop *Innermost,
          llvm::ArrayRef<unsigned> Whole)
        : Inside(Innermost, Whole), Around(Around, Inside) {}
  };
  std::deque<Level> Levels; ///< which stay where they are

public:
  /// \p Innermost lies in \p Whole, as in Unrolling. What does not fit in
  /// registers is computed again.
  ComputedOnce(const llvm::Loop *Innermost, llvm::ArrayRef<unsigned> Whole);

  bool contains(const llvm::Instruction &I);

  /// Whether a sum is kept for \p Address.
  bool growsOutside(const llvm::GetElementPtrInst &Address);

  /// Whether \p I is part of nothing but such addresses.
  bool isAbsorbed(const llvm::Instruction &I);
};

/// Whether \p V is a 32-bit number without sign that may wrap around before it
/// becomes one of 64 bits: what is added to it does not fit into an address.
bool mayWrap(const llvm::Value *V);

/// \p Index without what is added to it as a constant, which fits into the
/// instruction that accesses memory.
const llvm::Value *withoutConstant(const llvm::Value *Index);

} // namespace warpwise::access

#endif // WARPWISE_ANALYZER_EVALUATE_ROUNDARITHMETIC_H

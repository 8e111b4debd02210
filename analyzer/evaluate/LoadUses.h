//===- LoadUses.h - What becomes of what is loaded --------------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_EVALUATE_LOADUSES_H
#define WARPWISE_ANALYZER_EVALUATE_LOADUSES_H

#include <cstdint>

namespace llvm {
class DataLayout;
class GEPOperator;
class Instruction;
class Loop;
class LoopInfo;
class Value;
} // namespace llvm

namespace warpwise::access {

/// Whether what \p I loads is stored to shared memory as it is, and nothing
/// else is done with it, in a loop in which the block waits for it.
bool bringsTile(const llvm::Instruction &I, const llvm::LoopInfo &Loops);

/// The array in shared memory that takes what \p I loads, as it is or in places
/// something that is not from memory; null where something else is done with
/// it, too.
const llvm::Value *stagedIn(const llvm::Instruction &I);

/// Whether \p I loads one factor of one product from shared memory, and the
/// other one comes from there, too.
bool isFactor(const llvm::Instruction &I);

/// What says where in its object a load or store goes to.
struct Index {
  const llvm::Value *Number = nullptr; ///< null: several do, or none
  int64_t Bytes = 0;                   ///< from one to the next
  int64_t Offset = 0;                  ///< of number 0, in bytes
  const llvm::Value *From = nullptr;   ///< the pointer that they count from
  /// Bytes of the array, a member of a record perhaps, that Number counts
  /// through by its type; 0: it has no bounds.
  uint64_t ArrayBytes = 0;
};

/// By how many bytes \p Pointer goes on from each round of \p L to the next,
/// where the code says so: 4 for A[n] in "for (n = Row[i]; n < Row[i + 1];
/// ++n)" of floats. 0 where it does not, or where it stays the same.
int64_t roundBytes(const llvm::Value *Pointer, const llvm::Loop &L,
                   const llvm::DataLayout &Layout);

/// Whether \p I, a load or store, goes from row to row in the rounds of \p L:
/// what counts them is the same for all lanes, and it or its step is multiplied
/// with more than a row of lanes is long. A thread that takes two neighbouring
/// elements goes through as many rounds then.
bool walksAcross(const llvm::Instruction &I, const llvm::Loop &L);

/// Whether the rounds of \p L go on by as many elements as the grid has
/// threads, or blocks.
bool goesOverGrid(const llvm::Loop &L);

/// Bytes of the array type that \p Step counts \p Number through, or 0: as C++
/// has it, an index leaves no array of a record. One of a single element, at
/// the end of a record, is often larger than it says.
uint64_t arrayBytes(const llvm::GEPOperator &Step, const llvm::Value *Number,
                    const llvm::DataLayout &Layout);

Index indexOf(const llvm::Instruction &I);

} // namespace warpwise::access

#endif // WARPWISE_ANALYZER_EVALUATE_LOADUSES_H

//===- MemoryInstructions.h - What accesses memory --------------*- C++ -*-===//
//
// The memory instructions of device IR, counted the same way before and after
// lowering. An engine that does not follow one of them has to name it.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_LOWERING_MEMORYINSTRUCTIONS_H
#define WARPWISE_ANALYZER_LOWERING_MEMORYINSTRUCTIONS_H

#include "llvm/ADT/StringRef.h"

#include <vector>

namespace llvm {
class Function;
class Instruction;
class Value;
} // namespace llvm

namespace warpwise::lowering {

/// How an instruction reaches memory.
struct MemoryReference {
  const llvm::Value *Pointer = nullptr; ///< null: it does not
  unsigned Bytes = 0;
  bool Reads = false, Writes = false;
};

/// The access that \p I makes, apart from tensor cores and asynchronous copies.
MemoryReference memoryReference(const llvm::Instruction &I);

/// What one of NVIDIA's intrinsics does with memory.
enum class NvidiaMemory {
  None,
  Load, ///< ldg, ldu
  Atomic,
  Matrix,   ///< ldmatrix, stmatrix
  Copy,     ///< cp.async
  Fragment, ///< wmma
  Texture,
  Surface
};
/// Of the function \p Name ("llvm.nvvm.ldg.global.i.i32.p1"); None for others.
NvidiaMemory nvidiaMemory(llvm::StringRef Name);

/// True when all that \p Pointer may lead to is the thread's own: its variables
/// and the kernel's arguments by value.
bool isOfThread(const llvm::Value *Pointer);

/// True for loads, stores, atomics, memory intrinsics, NVIDIA's intrinsics that
/// access memory (fragments, asynchronous copies, textures ...), and inline
/// assembly with such statements, unless the memory is the thread's own. Calls
/// of other functions are none.
bool accessesMemory(const llvm::Instruction &I);

/// Marks a load that looks for its data in L2 at once and leaves nothing in L1:
/// volatile ones and those with the cache operators .cg and .cv. The mark is
/// LLVM's "nontemporal", which passes keep where it still holds.
void markPastL1(llvm::Instruction &Load);
bool goesPastL1(const llvm::Instruction &Load);

std::vector<const llvm::Instruction *>
memoryInstructions(const llvm::Function &F);

} // namespace warpwise::lowering

#endif // WARPWISE_ANALYZER_LOWERING_MEMORYINSTRUCTIONS_H

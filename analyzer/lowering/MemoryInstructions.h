//===- MemoryInstructions.h - What accesses memory --------------*- C++ -*-===//
//
// The memory instructions of device IR, counted the same way before and after
// lowering. An engine that does not follow one of them has to name it.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_LOWERING_MEMORYINSTRUCTIONS_H
#define WARPWISE_ANALYZER_LOWERING_MEMORYINSTRUCTIONS_H

#include <vector>

namespace llvm {
class Function;
class Instruction;
class Value;
} // namespace llvm

namespace warpwise::lowering {

/// True when all that \p Pointer may lead to is the thread's own: its variables
/// and the kernel's arguments by value.
bool isOfThread(const llvm::Value *Pointer);

/// True for loads, stores, atomics, memory intrinsics, NVIDIA's intrinsics that
/// access memory (fragments, asynchronous copies, textures ...), and inline
/// assembly with such statements, unless the memory is the thread's own. Calls
/// of other functions are none.
bool accessesMemory(const llvm::Instruction &I);

std::vector<const llvm::Instruction *>
memoryInstructions(const llvm::Function &F);

} // namespace warpwise::lowering

#endif // WARPWISE_ANALYZER_LOWERING_MEMORYINSTRUCTIONS_H

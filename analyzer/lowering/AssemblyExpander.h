//===- AssemblyExpander.h - Inline assembly as IR ---------------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_LOWERING_ASSEMBLYEXPANDER_H
#define WARPWISE_ANALYZER_LOWERING_ASSEMBLYEXPANDER_H

namespace llvm {
class CallInst;
class IRBuilderBase;
class Instruction;
class Value;
} // namespace llvm

namespace warpwise::lowering {

/// Replaces the call of inline assembly \p Call by IR that does the same, as
/// far as memory of all spaces, moves, comparisons and sums go. Assembly with
/// results beyond that stays, marked as one whose accesses are known; assembly
/// whose accesses are not understood stays as it is.
void expandAssembly(llvm::CallInst &Call);

/// Marks a call whose accesses to global memory, if any, stand beside it.
void markExpanded(llvm::CallInst &Call);
bool isExpanded(const llvm::CallInst &Call);

/// The pointer into address space \p Space (0: any) that the pointer or number
/// \p V stands for. Shared memory also has addresses of 32 bits.
llvm::Value *pointerFrom(llvm::IRBuilderBase &Builder, llvm::Value *V,
                         unsigned Space);

} // namespace warpwise::lowering

#endif // WARPWISE_ANALYZER_LOWERING_ASSEMBLYEXPANDER_H

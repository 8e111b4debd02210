//===- KeptAccesses.h - Accesses that nvcc leaves ---------------*- C++ -*-===//
//
// The canonical IR has the accesses of the source. nvcc writes loops with few
// rounds out and loads once what several of them want, unless a store between
// them may change it; and it stores only the last of several values, unless
// something between may ask for the others. How many accesses are left, and how
// many would be if no pointer argument led to where another does
// (__restrict__), is found out by doing the same to a copy of the kernels.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_EVALUATE_KEPTACCESSES_H
#define WARPWISE_ANALYZER_EVALUATE_KEPTACCESSES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"

namespace llvm {
class Function;
class Instruction;
class Module;
class TargetMachine;
} // namespace llvm

namespace warpwise::access {

struct KeptAccess {
  /// Of an access's executions, the share that is left.
  float AsIs = 1;
  /// Likewise if the kernel's pointer arguments were __restrict__.
  float IfRestricted = 1;
};

using KeptAccesses = llvm::DenseMap<const llvm::Instruction *, KeptAccess>;

/// The loads and stores of global and shared memory in \p Kernels of \p M,
/// which are in canonical form, of which not all are left either way. Loops
/// whose rounds are not known count as having 16. What is found of a kernel
/// does not hang on the others.
KeptAccesses keptAccesses(llvm::Module &M,
                          llvm::ArrayRef<llvm::Function *> Kernels,
                          llvm::TargetMachine &Machine);

} // namespace warpwise::access

#endif // WARPWISE_ANALYZER_EVALUATE_KEPTACCESSES_H

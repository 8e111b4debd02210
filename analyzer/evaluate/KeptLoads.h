//===- KeptLoads.h - Loads that are left when nvcc is done ------*- C++ -*-===//
//
// The canonical IR has the accesses of the source. nvcc writes loops with few
// rounds out and loads once what several of them want, unless a store between
// them may change it. How many loads are left, and how many would be if no
// pointer argument led to where another does (__restrict__), is found out by
// doing the same to a copy of the kernels.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_EVALUATE_KEPTLOADS_H
#define WARPWISE_ANALYZER_EVALUATE_KEPTLOADS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"

namespace llvm {
class Function;
class Instruction;
class Module;
class TargetMachine;
} // namespace llvm

namespace warpwise::access {

struct KeptLoad {
  /// Of a load's executions, the share that is left.
  float AsIs = 1;
  /// Likewise if the kernel's pointer arguments were __restrict__.
  float IfRestricted = 1;
};

using KeptLoads = llvm::DenseMap<const llvm::Instruction *, KeptLoad>;

/// The loads of global and shared memory in \p Kernels of \p M, which are in
/// canonical form, of which not all are left either way. Loops whose rounds are
/// not known count as having 16. What is found of a kernel does not hang on the
/// others.
KeptLoads keptLoads(llvm::Module &M, llvm::ArrayRef<llvm::Function *> Kernels,
                    llvm::TargetMachine &Machine);

} // namespace warpwise::access

#endif // WARPWISE_ANALYZER_EVALUATE_KEPTLOADS_H

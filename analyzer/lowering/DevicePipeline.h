//===- DevicePipeline.h - The IR that accesses are read from ----*- C++ -*-===//
//
// Turns Clang's raw device IR into the form on which the lane evaluator works:
// everything inlined into the kernels, scalars in registers, address spaces
// resolved, vector accesses whole, and the loops as they were written. No
// unrolling, LICM or GVN, so an access of the source stays one access.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_LOWERING_DEVICEPIPELINE_H
#define WARPWISE_ANALYZER_LOWERING_DEVICEPIPELINE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <vector>

namespace llvm {
class Function;
class Module;
class TargetMachine;
} // namespace llvm

namespace warpwise::lowering {

/// The NVPTX target machine for \p Arch ("sm_90"): pass decisions such as how
/// wide a vector access may be are asked of it.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createTargetMachine(llvm::StringRef Arch);

/// The kernels that \p M defines, in the order of their definition.
std::vector<llvm::Function *> kernelsOf(llvm::Module &M);

/// Inlines every device function into the kernels and drops what no kernel
/// needs. Run before anything else.
void inlineIntoKernels(llvm::Module &M, llvm::TargetMachine &Machine);

/// Simplifies the functions of \p M, which has no kernels of interest, before
/// they are linked with others: callees first, and those into their callers.
/// Inlined as Clang emits them, they would make a kernel of a hundred thousand
/// variables.
void simplifyForLinking(llvm::Module &M, llvm::TargetMachine &Machine);

/// Puts scalar variables into registers, and nothing else: what then accesses
/// memory is what the source has of that.
void promoteScalars(llvm::Module &M, llvm::TargetMachine &Machine);

/// Brings the kernels of an inlined module into canonical form.
void canonicalise(llvm::Module &M, llvm::TargetMachine &Machine);

/// Folds what has become constant in \p Kernels, such as the copies of an
/// unrolled body, and takes private variables apart that no longer need memory.
void foldConstants(llvm::ArrayRef<llvm::Function *> Kernels,
                   llvm::TargetMachine &Machine);

/// Folds what has become constant where loops were written out, and leaves all
/// accesses that can be reached. The loops that are left test at their ends.
void foldWrittenOut(llvm::Module &M, llvm::TargetMachine &Machine);

/// Loads once what is loaded again although nothing can have changed it, in a
/// loop or after it, and stores only what may be asked for, as nvcc does. It
/// tells types not apart: a float may be where an int is stored (two kernels of
/// nvcc 13 that differ in this load as often).
void mergeAccesses(llvm::Module &M, llvm::TargetMachine &Machine);

} // namespace warpwise::lowering

#endif // WARPWISE_ANALYZER_LOWERING_DEVICEPIPELINE_H

//===- TracePipeline.h - Kernels as nvcc would compile them -----*- C++ -*-===//
//
// How often a kernel loads and stores depends on what its compiler keeps in
// registers. The passes here reproduce nvcc's: promotion of variables and
// array elements, forwarding from stores to loads, hoisting out of loops, and
// nothing that changes the shape of loops. On PolyBench the number of load and
// store requests then equals the hardware's in nearly all launches.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_REUSE_LANECODE_TRACEPIPELINE_H
#define WARPWISE_ANALYZER_REUSE_LANECODE_TRACEPIPELINE_H

#include "llvm/ADT/StringRef.h"

#include <memory>

namespace llvm {
class Function;
class Module;
class TargetMachine;
} // namespace llvm

namespace warpwise::reuse {

/// What the name of a private array in local memory begins with, after
/// optimiseForTrace().
inline constexpr llvm::StringLiteral LocalArray = "local.";

/// A copy of \p M, which lowering::inlineIntoKernels() has been run on, with
/// \p Kernel alone in it, optimised. Null when there is no such kernel.
std::unique_ptr<llvm::Module> optimiseForTrace(const llvm::Module &M,
                                               llvm::StringRef Kernel,
                                               llvm::TargetMachine &Machine);

} // namespace warpwise::reuse

#endif // WARPWISE_ANALYZER_REUSE_LANECODE_TRACEPIPELINE_H

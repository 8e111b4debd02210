//===- KernelProgram.h - A kernel, ready to be traced -----------*- C++ -*-===//
//
// What all launches of a kernel share: its code as nvcc would have it, the
// slice of that which decides addresses, and what its arguments are.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_REUSE_LANECODE_KERNELPROGRAM_H
#define WARPWISE_ANALYZER_REUSE_LANECODE_KERNELPROGRAM_H

#include "analyzer/execution/HostKernels.h"
#include "analyzer/nvcc/KernelResources.h"
#include "analyzer/reuse/lanecode/LaneCode.h"

#include <optional>

namespace llvm {
class TargetMachine;
}

namespace warpwise::reuse {

/// A formal argument.
struct Parameter {
  enum class Kind { Integer, Real, Pointer, Struct } What = Kind::Integer;
  std::string Name; ///< as in the source, else "argument 3"
  uint64_t Bytes = 0;
  /// Of a pointer: what it is used to read or write first of all.
  unsigned ElementBytes = 4;
  bool ElementsAreReal = false;
  /// Of a struct: where its pointers are.
  std::vector<uint64_t> PointerOffsets;
};

/// The name of a kernel for messages: without return type and parameters.
std::string plainName(llvm::StringRef Mangled);

/// The arguments as far as the signature tells: without what pointers are used
/// for. \p Kernel is in \p M.
std::vector<Parameter> parametersOf(const llvm::Module &M,
                                    llvm::StringRef Kernel);

class KernelProgram {
public:
  /// \p M: device IR that lowering::inlineIntoKernels() has been run on. The
  /// error says in one sentence what cannot be traced.
  static llvm::Expected<std::unique_ptr<KernelProgram>>
  compile(const llvm::Module &M, llvm::StringRef Kernel,
          llvm::TargetMachine &Machine);

  /// What nvcc says. Where a thread has no stack it has found registers for all
  /// private arrays, and their accesses are no requests.
  void setResources(const nvcc::KernelResources &Known);
  bool hasLocalMemory() const { return HasLocalMemory; }

  /// The whole kernel, for threads that run side by side. Compiled when it is
  /// first asked for.
  llvm::Expected<execution::HostKernels &> hostKernels();

  std::string Kernel;    ///< mangled
  std::string PlainName; ///< for messages
  LaneCode Lanes;        ///< each thread by itself
  Objects Read, Written;
  access::Place FirstLoad;
  bool NeedsOthers = false;  ///< see AddressSlice
  bool WritesMemory = false; ///< see AddressSlice
  uint64_t FrameBytes = 0, StaticSharedBytes = 0;
  uint32_t RegistersPerThread = 0;
  std::vector<Parameter> Parameters;

private:
  bool HasLocalMemory = true;
  std::unique_ptr<llvm::orc::ThreadSafeModule> Whole;
  std::optional<execution::HostKernels> Compiled;
};

} // namespace warpwise::reuse

#endif // WARPWISE_ANALYZER_REUSE_LANECODE_KERNELPROGRAM_H

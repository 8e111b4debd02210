//===- ModelKernel.h - The cache model of a kernel's launches ---*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_REUSE_LAUNCHES_MODELKERNEL_H
#define WARPWISE_ANALYZER_REUSE_LAUNCHES_MODELKERNEL_H

#include "analyzer/reuse/lanecode/KernelProgram.h"
#include "analyzer/reuse/launches/KernelLaunches.h"
#include "analyzer/reuse/launches/LaunchReport.h"

namespace warpwise::reuse {

struct KernelWork {
  std::string Kernel, Mangled; ///< for the reports
  std::string Symbol;          ///< in the module
  SourceLaunches Known;
  /// As nvcc says; unset: registers stay unknown.
  std::optional<nvcc::KernelResources> Resources;
};

struct ModelSettings {
  CacheOptions Caches;
  SimulationSettings Simulation;
  UserInput User;
  std::vector<Variant> Variants; ///< empty: the usual caches alone
};

struct KernelReports {
  std::vector<LaunchReport> Launches;
  std::string Note; ///< see ChosenLaunches
  /// Whether the kernel's own stores may have been done in this process, other
  /// than to private arrays, which are kept inside: it may be damaged.
  bool WroteMemory = false;
};

/// Makes the traces of \p Work's launches and runs the caches over them. What
/// cannot be done stands in the reports. \p M: device IR that
/// lowering::inlineIntoKernels() has been run on.
KernelReports modelKernel(const llvm::Module &M, llvm::TargetMachine &Machine,
                          const KernelWork &Work,
                          const ModelSettings &Settings);

} // namespace warpwise::reuse

#endif // WARPWISE_ANALYZER_REUSE_LAUNCHES_MODELKERNEL_H

//===- HostKernels.h - Kernels as functions of this process -----*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_EXECUTION_HOSTKERNELS_H
#define WARPWISE_ANALYZER_EXECUTION_HOSTKERNELS_H

#include "analyzer/execution/BlockRunner.h"
#include "analyzer/execution/Instrument.h"
#include "analyzer/execution/Jit.h"

#include <map>
#include <memory>

namespace warpwise::execution {

/// The kernels of a module, compiled for this machine.
class HostKernels {
public:
  /// Takes device IR that lowering::inlineIntoKernels() has been run on.
  static llvm::Expected<HostKernels>
  compile(std::unique_ptr<llvm::Module> Device,
          llvm::orc::ThreadSafeContext Context, const Wishes &Wanted = {});

  const Numbering &numbering() const { return Code->Numbers; }
  /// Null for a kernel that was not in the module.
  Driver driver(const std::string &Kernel) const;
  const std::vector<std::pair<char *, const HostVariable *>> &
  variables() const {
    return Variables;
  }
  /// Tells \p Memory where the module's variables are.
  void addVariables(DeviceMemory &Memory) const;

private:
  explicit HostKernels(Jit Compiler) : Compiler(std::move(Compiler)) {}

  Jit Compiler;
  std::unique_ptr<Instrumented> Code;
  std::map<std::string, Driver> Drivers;
  std::vector<std::pair<char *, const HostVariable *>> Variables;
};

} // namespace warpwise::execution

#endif // WARPWISE_ANALYZER_EXECUTION_HOSTKERNELS_H

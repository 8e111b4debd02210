//===- HostKernels.h - Kernels as functions of this process -----*- C++ -*-===//

#ifndef WARPWISE_TEST_ORACLE_HOSTKERNELS_H
#define WARPWISE_TEST_ORACLE_HOSTKERNELS_H

#include "BlockRunner.h"
#include "Instrument.h"

#include "llvm/ExecutionEngine/Orc/LLJIT.h"

#include <map>
#include <memory>

namespace warpwise::oracle {

/// The kernels of a module, compiled for this machine.
class HostKernels {
public:
  /// Takes device IR that lowering::inlineIntoKernels() has been run on.
  static llvm::Expected<HostKernels>
  compile(std::unique_ptr<llvm::Module> Device,
          llvm::orc::ThreadSafeContext Context);

  const Numbering &numbering() const { return Code->Numbers; }
  /// Null for a kernel that was not in the module.
  Driver driver(const std::string &Kernel) const;
  /// Tells \p Memory where the module's variables are.
  void addVariables(DeviceMemory &Memory) const;

private:
  std::unique_ptr<llvm::orc::LLJIT> Jit;
  std::unique_ptr<Instrumented> Code;
  std::map<std::string, Driver> Drivers;
  std::vector<std::pair<char *, const HostVariable *>> Variables;
};

} // namespace warpwise::oracle

#endif // WARPWISE_TEST_ORACLE_HOSTKERNELS_H

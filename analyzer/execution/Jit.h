//===- Jit.h - Compiles IR for this process ---------------------*- C++ -*-===//
//
// The header of LLVM's LLJIT takes a compiler as long as all else that those
// read who run compiled kernels, so only Jit.cpp knows it.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_EXECUTION_JIT_H
#define WARPWISE_ANALYZER_EXECUTION_JIT_H

#include "llvm/ExecutionEngine/Orc/ThreadSafeModule.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/Support/Error.h"

#include <memory>

namespace llvm::orc {
class LLJIT;
}

namespace warpwise::execution {

/// A compiler for this machine, and its code, which finds the functions of
/// HostCalls.h and HostMath.h and nothing else of this process.
class Jit {
public:
  static llvm::Expected<Jit> create(llvm::CodeGenOptLevel Effort);
  Jit(Jit &&) noexcept;
  Jit &operator=(Jit &&) noexcept;
  ~Jit();

  /// Makes \p M a module for this machine.
  void retarget(llvm::Module &M) const;
  /// Takes \p M when it may run here: the error, one clause, names what of it
  /// must not.
  llvm::Error add(llvm::orc::ThreadSafeModule M);
  /// The address of a function or variable.
  llvm::Expected<void *> find(llvm::StringRef Symbol);

private:
  explicit Jit(std::unique_ptr<llvm::orc::LLJIT> Its);

  std::unique_ptr<llvm::orc::LLJIT> Its;
};

} // namespace warpwise::execution

#endif // WARPWISE_ANALYZER_EXECUTION_JIT_H

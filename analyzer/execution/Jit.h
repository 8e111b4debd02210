//===- Jit.h - Compiles IR for this process ---------------------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_EXECUTION_JIT_H
#define WARPWISE_ANALYZER_EXECUTION_JIT_H

#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Support/CodeGen.h"

#include <memory>

namespace warpwise::execution {

/// A compiler for this machine. Its code finds the functions of HostCalls.h and
/// HostMath.h and nothing else of this process.
llvm::Expected<std::unique_ptr<llvm::orc::LLJIT>>
createJit(llvm::CodeGenOptLevel Effort);

/// Gives \p M to \p Jit, when it may run here: the error, one clause, names
/// what of it must not.
llvm::Error addModule(llvm::orc::LLJIT &Jit, llvm::orc::ThreadSafeModule M);

} // namespace warpwise::execution

#endif // WARPWISE_ANALYZER_EXECUTION_JIT_H

//===- Jit.h - Compiles IR for this process ---------------------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_EXECUTION_JIT_H
#define WARPWISE_ANALYZER_EXECUTION_JIT_H

#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Support/CodeGen.h"

#include <memory>

namespace warpwise::execution {

/// A compiler for this machine whose code finds the functions of HostCalls.h.
llvm::Expected<std::unique_ptr<llvm::orc::LLJIT>>
createJit(llvm::CodeGenOptLevel Effort);

} // namespace warpwise::execution

#endif // WARPWISE_ANALYZER_EXECUTION_JIT_H

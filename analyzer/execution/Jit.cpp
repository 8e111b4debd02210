//===- Jit.cpp - Compiles IR for this process -----------------------------===//

#include "analyzer/execution/Jit.h"

#include "analyzer/execution/HostCalls.h"

#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/Support/TargetSelect.h"

using namespace llvm;

namespace warpwise::execution {

Expected<std::unique_ptr<orc::LLJIT>> createJit(CodeGenOptLevel Effort) {
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  Expected<orc::JITTargetMachineBuilder> Machine =
      orc::JITTargetMachineBuilder::detectHost();
  if (!Machine)
    return Machine.takeError();
  Machine->setCodeGenOptLevel(Effort);
  Expected<std::unique_ptr<orc::LLJIT>> Jit =
      orc::LLJITBuilder().setJITTargetMachineBuilder(*Machine).create();
  if (!Jit)
    return Jit.takeError();
  orc::JITDylib &Library = (*Jit)->getMainJITDylib();
  orc::SymbolMap Known;
  for (const HostCall &C : hostCalls())
    Known[(*Jit)->mangleAndIntern(C.Name)] = {
        orc::ExecutorAddr::fromPtr(C.Address),
        JITSymbolFlags::Exported | JITSymbolFlags::Callable};
  if (Error Problem = Library.define(orc::absoluteSymbols(std::move(Known))))
    return std::move(Problem);
  return std::move(*Jit);
}

} // namespace warpwise::execution

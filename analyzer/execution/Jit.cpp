//===- Jit.cpp - Compiles IR for this process -----------------------------===//

#include "analyzer/execution/Jit.h"

#include "analyzer/execution/Admission.h"
#include "analyzer/execution/HostCalls.h"
#include "analyzer/execution/HostMath.h"

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
  // Code that LLVM takes to be out of reach must not run into what follows.
  Machine->getOptions().TrapUnreachable = true;
  Expected<std::unique_ptr<orc::LLJIT>> Jit =
      orc::LLJITBuilder()
          .setJITTargetMachineBuilder(*Machine)
          .setLinkProcessSymbolsByDefault(false)
          .setPlatformSetUp(orc::setUpInactivePlatform)
          .create();
  if (!Jit)
    return Jit.takeError();
  orc::JITDylib &Library = (*Jit)->getMainJITDylib();
  orc::SymbolMap Known;
  auto add = [&](StringRef Name, void *Address) {
    Known[(*Jit)->mangleAndIntern(Name)] = {orc::ExecutorAddr::fromPtr(Address),
                                            JITSymbolFlags::Exported |
                                                JITSymbolFlags::Callable};
  };
  for (ArrayRef<HostCall> Calls :
       {ArrayRef(hostCalls().data(), hostCalls().size()), generatedCalls()})
    for (const HostCall &C : Calls)
      add(C.Name, C.Address);
  for (const MathFunction &F : mathFunctions())
    add(mathSymbol(F), F.Address);
  if (Error Problem = Library.define(orc::absoluteSymbols(std::move(Known))))
    return std::move(Problem);
  return std::move(*Jit);
}

Error addModule(orc::LLJIT &Jit, orc::ThreadSafeModule M) {
  const std::string Found = M.withModuleDo(findInadmissible);
  if (!Found.empty())
    return createStringError(inconvertibleErrorCode(),
                             Found + " is not modelled");
  return Jit.addIRModule(std::move(M));
}

} // namespace warpwise::execution

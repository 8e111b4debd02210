//===- Jit.cpp - Compiles IR for this process -----------------------------===//

#include "analyzer/execution/Jit.h"

#include "analyzer/execution/Admission.h"
#include "analyzer/execution/HostCalls.h"
#include "analyzer/execution/HostMath.h"

#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Support/TargetSelect.h"

using namespace llvm;

namespace warpwise::execution {

Jit::Jit(std::unique_ptr<orc::LLJIT> Its) : Its(std::move(Its)) {}
Jit::Jit(Jit &&) noexcept = default;
Jit &Jit::operator=(Jit &&) noexcept = default;
Jit::~Jit() = default;

Expected<Jit> Jit::create(CodeGenOptLevel Effort) {
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  Expected<orc::JITTargetMachineBuilder> Machine =
      orc::JITTargetMachineBuilder::detectHost();
  if (!Machine)
    return Machine.takeError();
  Machine->setCodeGenOptLevel(Effort);
  // Code that LLVM takes to be out of reach must not run into what follows.
  Machine->getOptions().TrapUnreachable = true;
  Expected<std::unique_ptr<orc::LLJIT>> Made =
      orc::LLJITBuilder()
          .setJITTargetMachineBuilder(*Machine)
          .setLinkProcessSymbolsByDefault(false)
          .setPlatformSetUp(orc::setUpInactivePlatform)
          .create();
  if (!Made)
    return Made.takeError();
  orc::JITDylib &Library = (*Made)->getMainJITDylib();
  orc::SymbolMap Known;
  auto add = [&](StringRef Name, void *Address) {
    Known[(*Made)->mangleAndIntern(Name)] = {
        orc::ExecutorAddr::fromPtr(Address),
        JITSymbolFlags::Exported | JITSymbolFlags::Callable};
  };
  for (ArrayRef<HostCall> Calls :
       {ArrayRef(hostCalls().data(), hostCalls().size()), generatedCalls()})
    for (const HostCall &C : Calls)
      add(C.Name, C.Address);
  for (const MathFunction &F : mathFunctions())
    add(mathSymbol(F), F.Address);
  if (Error Problem = Library.define(orc::absoluteSymbols(std::move(Known))))
    return std::move(Problem);
  return Jit(std::move(*Made));
}

void Jit::retarget(Module &M) const {
  M.setTargetTriple(Its->getTargetTriple().str());
  M.setDataLayout(Its->getDataLayout());
}

Error Jit::add(orc::ThreadSafeModule M) {
  const std::string Found = M.withModuleDo(findInadmissible);
  if (!Found.empty())
    return createStringError(inconvertibleErrorCode(),
                             Found + " is not modelled");
  return Its->addIRModule(std::move(M));
}

Expected<void *> Jit::find(StringRef Symbol) {
  Expected<orc::ExecutorAddr> Address = Its->lookup(Symbol);
  if (!Address)
    return Address.takeError();
  return Address->toPtr<void *>();
}

} // namespace warpwise::execution

//===- HostKernels.cpp - Kernels as functions of this process -------------===//

#include "HostKernels.h"

#include "HostCalls.h"

#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/TargetSelect.h"

using namespace llvm;

namespace warpwise::oracle {
namespace {

Expected<std::unique_ptr<orc::LLJIT>> createJit() {
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  Expected<orc::JITTargetMachineBuilder> Machine =
      orc::JITTargetMachineBuilder::detectHost();
  if (!Machine)
    return Machine.takeError();
  // Each kernel runs for a few blocks only: compiling fast wins.
  Machine->setCodeGenOptLevel(CodeGenOptLevel::None);
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

} // namespace

Expected<HostKernels> HostKernels::compile(std::unique_ptr<Module> Device,
                                           orc::ThreadSafeContext Context) {
  HostKernels Made;
  Expected<std::unique_ptr<orc::LLJIT>> Jit = createJit();
  if (!Jit)
    return Jit.takeError();
  Made.Jit = std::move(*Jit);
  Made.Code = std::make_unique<Instrumented>(instrument(*Device));
  Device->setTargetTriple(Made.Jit->getTargetTriple().str());
  Device->setDataLayout(Made.Jit->getDataLayout());
  std::string Broken;
  raw_string_ostream Stream(Broken);
  if (verifyModule(*Device, &Stream))
    return createStringError(inconvertibleErrorCode(),
                             "the instrumented module is broken: %s",
                             Broken.c_str());
  if (Error Problem = Made.Jit->addIRModule(
          orc::ThreadSafeModule(std::move(Device), std::move(Context))))
    return std::move(Problem);
  for (const auto &[Kernel, Symbol] : Made.Code->Drivers) {
    Expected<orc::ExecutorAddr> Address = Made.Jit->lookup(Symbol);
    if (!Address)
      return Address.takeError();
    Made.Drivers[Kernel] = Address->toPtr<Driver>();
  }
  for (const HostVariable &Variable : Made.Code->Variables) {
    Expected<orc::ExecutorAddr> Address = Made.Jit->lookup(Variable.Symbol);
    if (!Address)
      return Address.takeError();
    Made.Variables.emplace_back(Address->toPtr<char *>(), &Variable);
  }
  return std::move(Made);
}

Driver HostKernels::driver(const std::string &Kernel) const {
  auto Found = Drivers.find(Kernel);
  return Found == Drivers.end() ? nullptr : Found->second;
}

void HostKernels::addVariables(DeviceMemory &Memory) const {
  for (const auto &[Address, Variable] : Variables)
    Memory.addRegion(Address, Variable->Bytes, Variable->Memory);
}

} // namespace warpwise::oracle

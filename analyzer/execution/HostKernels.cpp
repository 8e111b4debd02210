//===- HostKernels.cpp - Kernels as functions of this process -------------===//

#include "analyzer/execution/HostKernels.h"

#include "analyzer/execution/PrivateFrames.h"

#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"

using namespace llvm;

namespace warpwise::execution {
Expected<HostKernels> HostKernels::compile(std::unique_ptr<Module> Device,
                                           orc::ThreadSafeContext Context,
                                           const Wishes &Wanted) {
  // Each kernel runs for a few blocks only: compiling fast wins.
  Expected<Jit> Compiler = Jit::create(CodeGenOptLevel::None);
  if (!Compiler)
    return Compiler.takeError();
  HostKernels Made(std::move(*Compiler));
  Made.Code = std::make_unique<Instrumented>(instrument(*Device, Wanted));
  const std::optional<uint64_t> Frame = movePrivateVariables(*Device);
  if (!Frame)
    return createStringError(inconvertibleErrorCode(),
                             "private memory of more than 512 KiB, or of "
                             "unknown size, is not modelled");
  Made.Code->Numbers.FrameBytes = *Frame;
  Made.Compiler.retarget(*Device);
  std::string Broken;
  raw_string_ostream Stream(Broken);
  if (verifyModule(*Device, &Stream))
    return createStringError(inconvertibleErrorCode(),
                             "the instrumented module is broken: %s",
                             Broken.c_str());
  if (Error Problem = Made.Compiler.add(
          orc::ThreadSafeModule(std::move(Device), std::move(Context))))
    return std::move(Problem);
  for (const auto &[Kernel, Symbol] : Made.Code->Drivers) {
    Expected<void *> Address = Made.Compiler.find(Symbol);
    if (!Address)
      return Address.takeError();
    Made.Drivers[Kernel] = reinterpret_cast<Driver>(*Address);
  }
  for (const HostVariable &Variable : Made.Code->Variables) {
    Expected<void *> Address = Made.Compiler.find(Variable.Symbol);
    if (!Address)
      return Address.takeError();
    Made.Variables.emplace_back(static_cast<char *>(*Address), &Variable);
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

} // namespace warpwise::execution

//===- DeviceInvocation.cpp - Arguments to Clang's device job -------------===//

#include "analyzer/frontend/DeviceInvocation.h"

#include "analyzer/frontend/HeaderOverlay.h"

#include "clang/Frontend/Utils.h"

using namespace clang;

namespace warpwise::frontend {

/// True for an argument that makes the driver run a program: to ask which GPU
/// is there it starts a tool that -B and --nvptx-arch-tool can name.
static bool runsPrograms(llvm::StringRef Argument) {
  return Argument.ends_with("-arch=native") ||
         Argument.starts_with("--nvptx-arch-tool") ||
         Argument.starts_with("--amdgpu-arch-tool");
}

/// Errors by default in Clang that nvcc lets pass or only warns about.
static constexpr const char *LenientFlags[] = {
    "-Wno-c++11-narrowing", "-Wno-register",
    "-Wno-reserved-user-defined-literal", "-Wno-error", "-w"};

static std::vector<std::string> driverArguments(const DeviceCommand &Command) {
  // The driver looks for a GCC installation and the like relative to itself;
  // this name makes it look where the system's own clang++ would.
  std::vector<std::string> Arguments = {"/usr/bin/clang++"};
  llvm::append_range(Arguments, headerArguments(Command.Cuda));
  for (const std::string &Argument : Command.Arguments)
    if (!runsPrograms(Argument))
      Arguments.push_back(Argument);
  // -O1: what is inlined, and how memory is annotated, as in real builds, but
  // no pass has run yet, so every access of the source is still there.
  for (const char *Argument : {"--cuda-device-only", "-fsyntax-only", "-O1",
                               "-Xclang", "-disable-llvm-passes", "-g"})
    Arguments.push_back(Argument);
  llvm::append_range(Arguments, LenientFlags);
  return Arguments;
}

/// Takes out what would leave traces on the disk or run foreign code.
static void makeHarmless(CompilerInvocation &Invocation) {
  FrontendOptions &Frontend = Invocation.getFrontendOpts();
  Frontend.Plugins.clear();
  Frontend.AddPluginActions.clear();
  Frontend.OutputFile.clear();
  Frontend.StatsFile.clear();
  Frontend.TimeTracePath.clear();
  Invocation.getDependencyOutputOpts() = DependencyOutputOptions();
  DiagnosticOptions &Diagnostics = Invocation.getDiagnosticOpts();
  Diagnostics.DiagnosticLogFile.clear();
  Diagnostics.DiagnosticSerializationFile.clear();
  Diagnostics.ShowCarets = false;
  Diagnostics.ErrorLimit = 0;
}

void setUpCodeGeneration(CodeGenOptions &CodeGen) {
  // What is inlined, and how memory is annotated, as in real builds.
  CodeGen.OptimizationLevel = 1;
  CodeGen.setInlining(CodeGenOptions::NormalInlining);
  CodeGen.setDebugInfo(llvm::codegenoptions::LimitedDebugInfo);
  CodeGen.DebugColumnInfo = true;
  // At -O1 Clang would mark every loop "do not unroll"; now that mark says what
  // the source says.
  CodeGen.UnrollLoops = true;
  CodeGen.LinkBitcodeFiles.clear();
  CodeGen.CudaGpuBinaryFileName.clear();
  // Types are noted for lowering/FieldAliases.h alone.
  CodeGen.RelaxedAliasing = false;
  // Frees what the process would otherwise keep for every file it reads.
  CodeGen.DisableFree = false;
}

/// What the driver makes of the arguments of \p Command.
static std::shared_ptr<CompilerInvocation>
askDriver(const DeviceCommand &Command,
          llvm::IntrusiveRefCntPtr<DiagnosticsEngine> Diagnostics,
          llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Files) {
  std::vector<std::string> Arguments = driverArguments(Command);
  std::vector<const char *> Pointers;
  for (const std::string &Argument : Arguments)
    Pointers.push_back(Argument.c_str());

  CreateInvocationOptions Options;
  Options.Diags = std::move(Diagnostics);
  Options.VFS = std::move(Files);
  Options.RecoverOnError = true;
  return createInvocation(Pointers, std::move(Options));
}

std::shared_ptr<CompilerInvocation>
deviceInvocation(const DeviceCommand &Command,
                 llvm::IntrusiveRefCntPtr<DiagnosticsEngine> Diagnostics,
                 llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Files) {
  std::shared_ptr<CompilerInvocation> Invocation;
  if (Command.Invocation) {
    Invocation = std::make_shared<CompilerInvocation>(*Command.Invocation);
    Invocation->getLangOpts().Optimize = true; // as askDriver() has it
  } else {
    Invocation = askDriver(Command, std::move(Diagnostics), std::move(Files));
  }
  if (!Invocation)
    return nullptr;
  makeHarmless(*Invocation);
  setUpCodeGeneration(Invocation->getCodeGenOpts());
  Invocation->getFrontendOpts().DisableFree = false; // likewise
  Invocation->getFileSystemOpts().WorkingDir = Command.Directory;
  return Invocation;
}

} // namespace warpwise::frontend

//===- ReuseUnit.cpp - A file and its program, for reuse ------------------===//

#include "analyzer/tool/ReuseUnit.h"

#include "analyzer/launch/LaunchCollector.h"
#include "analyzer/lowering/DevicePipeline.h"
#include "analyzer/lowering/KernelNames.h"
#include "analyzer/lowering/LaunchBounds.h"
#include "analyzer/lowering/StaticShared.h"
#include "analyzer/lowering/UserLines.h"
#include "analyzer/reuse/launches/HostDevice.h"
#include "analyzer/tool/HostFiles.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <set>

namespace warpwise::tool {

/// The most threads of a block that \p Kernel is compiled for.
static unsigned mostThreads(const llvm::Function &Kernel) {
  constexpr uint64_t Most = 1024;
  return unsigned(std::clamp<uint64_t>(
      lowering::launchBoundsOf(Kernel).Threads.value_or(Most), 1, Most));
}

/// What the host code is interpreted for.
static launch::HostSettings hostSettings(const Session &S) {
  launch::HostSettings Settings;
  Settings.Device = reuse::deviceProperties(S.Device);
  // A run has a command line: without a word about it, an empty one.
  Settings.CommandLine =
      S.Options.ProgramArguments.value_or(std::vector<std::string>());
  Settings.StepsPerRoot = 2'000'000;
  Settings.StepsWithoutLaunch = 20'000;
  Settings.LaunchIterations = 1 << 14;
  return Settings;
}

/// Parses the unit and walks its program.
static llvm::Expected<std::unique_ptr<ReuseUnit>>
parseOnce(const Session &S, const std::vector<HostFile> &Hosts,
          const launch::HostSettings &Settings, std::set<std::string> &Wanted) {
  /// All launches of the longest loops of a host program are wanted.
  constexpr unsigned MostLaunches = 1 << 16;
  /// Beyond these a folder is no longer one program.
  constexpr size_t MostHostFiles = 12;
  const frontend::DeviceCommand &Command = S.From.Units.front();
  auto Result = std::make_unique<ReuseUnit>();
  auto Device = pipeline::openDeviceUnit(Command, [&](clang::ASTContext &Ast) {
    parseProgram(
        Ast, Hosts, MostHostFiles, Result->Notes,
        [&](llvm::ArrayRef<clang::ASTContext *> Units) {
          const launch::HostProgram Program = {Units.vec(), Settings};
          std::vector<std::string> Notes;
          Result->Launches =
              launch::collectRun(Program, MostLaunches, &Wanted, &Notes);
          llvm::append_range(Result->Notes, Notes);
          Result->Allocations = reuse::collectAllocations(Program);
          for (const clang::ASTContext *Unit : Units)
            for (const auto &File : frontend::openedFiles(*Unit, Command).Users)
              Result->Files.insert(File.getKey().str());
        });
  });
  if (!Device)
    return Device.takeError();
  Result->Device = std::move(*Device);
  if (llvm::Module *M = Result->module()) {
    lowering::inlineIntoKernels(*M, *Result->Device->Machine);
    lowering::bookOnUserLines(*M, [&](llvm::StringRef Path) {
      return !Result->Device->Files.System.contains(Path);
    });
  }
  return std::move(Result);
}

/// Fills in what is known of the kernels that host code asked about.
static void tellResources(const ReuseUnit &Unit,
                          const nvcc::ResourceTable &Resources,
                          const std::set<std::string> &Wanted,
                          launch::HostSettings &Into) {
  if (!Unit.module())
    return;
  for (const llvm::Function *Kernel : lowering::kernelsOf(*Unit.module())) {
    const std::string Symbol = Kernel->getName().str();
    const nvcc::KernelResources *Known = nvcc::findKernel(Resources, Symbol);
    for (const std::string &Name : Wanted)
      if (Known && lowering::linkerName(Name) == lowering::linkerName(Symbol))
        Into.Kernels[Name] = {Known->Registers,
                              lowering::staticSharedBytes(*Kernel),
                              mostThreads(*Kernel)};
  }
}

/// What host code asks of a kernel is in its device code as well, which there
/// is only after the walk: then all is done once more.
llvm::Expected<std::unique_ptr<ReuseUnit>>
parseReuseUnit(const Session &S, const std::vector<std::string> &Named,
               const nvcc::ResourceTable &Resources) {
  auto Hosts = findHostFiles(S, Named);
  if (!Hosts)
    return Hosts.takeError();
  launch::HostSettings Settings = hostSettings(S);
  std::set<std::string> Wanted;
  auto Result = parseOnce(S, *Hosts, Settings, Wanted);
  if (!Result || Wanted.empty())
    return Result;
  tellResources(**Result, Resources, Wanted, Settings);
  if (Settings.Kernels.empty())
    return Result;
  return parseOnce(S, *Hosts, Settings, Wanted);
}

} // namespace warpwise::tool

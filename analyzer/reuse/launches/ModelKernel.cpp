//===- ModelKernel.cpp - The cache model of a kernel's launches -----------===//

#include "analyzer/reuse/launches/ModelKernel.h"

#include "analyzer/reuse/launches/TraceCache.h"
#include "analyzer/reuse/launches/UserNames.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Module.h"

#include <fmt/format.h>

#include <ctime>

namespace warpwise::reuse {
namespace {

using Status = LaunchReport::Status;

/// Traces that are kept for the variants of one launch.
constexpr uint64_t MostKeptBytes = uint64_t(512) << 20;

double secondsOfThisProcess() { return double(std::clock()) / CLOCKS_PER_SEC; }

/// The simulator does not know whose trace it is.
std::string named(const std::string &Kernel, const std::string &Problem) {
  if (Problem.rfind("kernel '", 0) == 0)
    return Problem;
  return fmt::format("kernel '{}': {}", Kernel, Problem);
}

void runVariants(TraceSource &Traces, const ModelSettings &Settings,
                 LaunchReport &Into) {
  for (const Variant &V : Settings.Variants) {
    SimulationSettings Plain = Settings.Simulation;
    Plain.ReuseDistances = false;
    const SimulationResult R = simulate(Traces, V.Options, Plain);
    Into.Variants.push_back({V.Values, R.Total, R.Error});
  }
}

void modelLaunch(std::shared_ptr<KernelProgram> Program,
                 const LaunchInput &Input, const ModelSettings &Settings,
                 LaunchReport &Into, bool &WroteMemory) {
  const double Begin = secondsOfThisProcess();
  const std::string Kernel = Program->PlainName;
  const bool WritesMemory = Program->WritesMemory;
  llvm::Expected<std::unique_ptr<KernelTrace>> Trace =
      KernelTrace::create(std::move(Program), Input);
  if (!Trace) {
    Into.Reason = llvm::toString(Trace.takeError());
    return;
  }
  WroteMemory |= (*Trace)->runsSideBySide() || WritesMemory;
  TraceCache Kept(**Trace, Settings.Variants.empty() ? 0 : MostKeptBytes);
  TraceSource &Traces =
      Settings.Variants.empty() ? static_cast<TraceSource &>(**Trace) : Kept;
  Into.Result = simulate(Traces, Settings.Caches, Settings.Simulation);
  Into.Seconds = secondsOfThisProcess() - Begin;
  Into.Sites = Traces.sites();
  if (!Into.Result) {
    Into.Reason = named(Kernel, Into.Result.Error);
    return;
  }
  Into.Reason = (*Trace)->doubt();
  if (Into.Result.Simulated.SmStride != 1)
    Into.Reason += (Into.Reason.empty() ? "" : "; ") + Into.Result.SampleText;
  Into.State = Into.Reason.empty() ? Status::Modelled : Status::Partial;
  runVariants(Traces, Settings, Into);
}

/// One report for a kernel of which no launch can be modelled.
KernelReports failAltogether(LaunchReport Empty, std::string Reason) {
  Empty.Reason = std::move(Reason);
  KernelReports Result;
  Result.Launches.push_back(std::move(Empty));
  return Result;
}

} // namespace

KernelReports modelKernel(const llvm::Module &M, llvm::TargetMachine &Machine,
                          const KernelWork &Work,
                          const ModelSettings &Settings) {
  LaunchReport Empty;
  Empty.Kernel = Work.Kernel;
  Empty.Mangled = Work.Mangled;
  const std::vector<Parameter> Parameters = parametersOf(M, Work.Symbol);
  KernelReports Result;
  const auto choose = [&](const std::vector<Parameter> &Of) {
    return chooseLaunches(plainName(Work.Symbol), Of, Work.Known,
                          inputOf(M, Of, Settings.User));
  };
  ChosenLaunches Chosen = choose(Parameters);
  // Kernels without a known launch, as in headers of templates, may be many.
  std::shared_ptr<KernelProgram> Program;
  if (llvm::any_of(Chosen.Launches,
                   [](const ChosenLaunch &L) { return L.Missing.empty(); })) {
    llvm::Expected<std::unique_ptr<KernelProgram>> Compiled =
        KernelProgram::compile(M, Work.Symbol, Machine);
    if (!Compiled)
      return failAltogether(Empty, llvm::toString(Compiled.takeError()));
    Program = std::move(*Compiled);
    if (Work.Resources)
      Program->setResources(*Work.Resources);
    // Now the types are known that the kernel reads.
    Chosen = choose(Program->Parameters);
  }
  Result.Note = std::move(Chosen.Note);
  for (ChosenLaunch &L : Chosen.Launches) {
    LaunchReport &Report = Result.Launches.emplace_back(Empty);
    Report.At = std::move(L.At);
    Report.Grid = L.Grid;
    Report.Block = L.Block;
    Report.Invocation = L.Invocation;
    Report.Assumptions = std::move(L.Assumptions);
    Report.Reason = std::move(L.Missing);
    if (Report.Reason.empty())
      modelLaunch(Program, L.Input, Settings, Report, Result.WroteMemory);
  }
  return Result;
}

} // namespace warpwise::reuse

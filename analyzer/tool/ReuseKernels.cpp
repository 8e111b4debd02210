//===- ReuseKernels.cpp - The kernels of a file, each modelled ------------===//

#include "analyzer/tool/ReuseKernels.h"

#include "analyzer/lowering/DevicePipeline.h"
#include "analyzer/lowering/KernelNames.h"
#include "analyzer/output/reuse/ReuseJson.h"
#include "analyzer/reuse/launches/UserNames.h"
#include "analyzer/tool/Messages.h"
#include "analyzer/tool/SourceFiles.h"
#include "analyzer/tool/WorkerPool.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/raw_ostream.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace warpwise::tool {
namespace {

std::string textOf(const reuse::LaunchReport &Report, const ReuseRequest &R) {
  if (!R.Format->TextOfLaunch)
    return "";
  return R.Format->TextOfLaunch(Report, R.Run.Axes, workingDirectory()) + "\n";
}

llvm::json::Value toJSON(const reuse::KernelReports &Reports,
                         const ReuseRequest &R) {
  llvm::json::Array Launches, Problems;
  std::string Text;
  for (const reuse::LaunchReport &Report : Reports.Launches) {
    Launches.push_back(output::reuseLaunch(Report, R.Run.Axes));
    Text += textOf(Report, R);
    if (Report.State == reuse::LaunchReport::Status::NotModelled)
      Problems.push_back(Report.Reason);
  }
  return llvm::json::Object{{"launches", std::move(Launches)},
                            {"text", std::move(Text)},
                            {"note", Reports.Note},
                            {"problems", std::move(Problems)}};
}

/// One kernel that could not be modelled at all.
ReuseOfKernel failure(const std::string &Kernel, const std::string &Mangled,
                      const std::string &Reason, const ReuseRequest &R) {
  reuse::LaunchReport Report;
  Report.Kernel = Kernel;
  Report.Mangled = Mangled;
  Report.Reason = Reason;
  ReuseOfKernel Answer;
  Answer.Launches.push_back(output::reuseLaunch(Report, R.Run.Axes));
  Answer.Text = textOf(Report, R);
  Answer.Problems.push_back(Reason);
  return Answer;
}

class KernelModels {
public:
  KernelModels(const Session &S, const ReuseRequest &R, ReuseUnit &U,
               const nvcc::ResourceTable &Resources)
      : S(S), R(R), U(U), Resources(Resources) {}

  llvm::Expected<std::vector<ReuseOfKernel>> run();

private:
  const Session &S;
  const ReuseRequest &R;
  ReuseUnit &U;
  const nvcc::ResourceTable &Resources;

  bool isChosen(llvm::StringRef Name) const;
  std::vector<reuse::KernelWork> chooseKernels() const;
  llvm::Error checkNames(const std::vector<reuse::KernelWork> &Works) const;
  std::string answer(const reuse::KernelWork &Work) const;
  llvm::Error nothingChosen() const;
  void addDropped(std::vector<ReuseOfKernel> &Answers) const;
};

} // namespace

llvm::json::Value toJSON(const ReuseOfKernel &A) {
  return llvm::json::Object{{"launches", llvm::json::Array(A.Launches)},
                            {"text", A.Text},
                            {"note", A.Note},
                            {"problems", llvm::json::Array(A.Problems)}};
}

bool fromJSON(const llvm::json::Value &From, ReuseOfKernel &Into,
              llvm::json::Path Path) {
  llvm::json::ObjectMapper Map(From, Path);
  if (!Map || !Map.map("text", Into.Text) || !Map.map("note", Into.Note) ||
      !Map.map("problems", Into.Problems))
    return false;
  if (const llvm::json::Array *Launches =
          From.getAsObject()->getArray("launches"))
    Into.Launches = *Launches;
  return true;
}

bool KernelModels::isChosen(llvm::StringRef Name) const {
  const std::string Plain = lowering::templateName(Name);
  return R.Kernels.empty() ||
         llvm::any_of(R.Kernels, [&](const KernelGlob &Glob) {
           return Glob.Pattern.match(Plain) || Glob.Pattern.match(Name);
         });
}

std::vector<reuse::KernelWork> KernelModels::chooseKernels() const {
  std::vector<reuse::KernelWork> Works;
  if (!U.module())
    return Works;
  for (const llvm::Function *F : lowering::kernelsOf(*U.module())) {
    reuse::KernelWork Work;
    Work.Symbol = F->getName().str();
    Work.Mangled = lowering::linkerName(Work.Symbol);
    Work.Kernel = llvm::demangle(Work.Mangled);
    if (!isChosen(Work.Kernel))
      continue;
    for (const launch::Launch &L : U.Launches)
      if (lowering::linkerName(L.Mangled) == Work.Mangled)
        Work.Known.Seen.push_back(L);
    Work.Known.Allocations = U.Allocations;
    if (const nvcc::KernelResources *Known =
            nvcc::findKernel(Resources, Work.Symbol))
      Work.Resources = *Known;
    Works.push_back(std::move(Work));
  }
  return Works;
}

/// Before any kernel is modelled, which may take minutes.
llvm::Error
KernelModels::checkNames(const std::vector<reuse::KernelWork> &Works) const {
  if (Works.empty())
    return llvm::Error::success();
  llvm::SmallVector<llvm::StringRef> Symbols;
  for (const reuse::KernelWork &Work : Works)
    Symbols.push_back(Work.Symbol);
  return reuse::checkNames(*U.module(), Symbols, R.Settings.User);
}

/// Runs in the kernel's process.
std::string KernelModels::answer(const reuse::KernelWork &Work) const {
  const reuse::KernelReports Reports =
      reuse::modelKernel(*U.module(), *U.Device->Machine, Work, R.Settings);
  if (Reports.WroteMemory)
    leaveProcessAfterTask();
  std::string Text;
  llvm::raw_string_ostream(Text) << toJSON(Reports, R);
  return Text;
}

/// The kernels that do not compile: the document names every kernel.
void KernelModels::addDropped(std::vector<ReuseOfKernel> &Answers) const {
  for (const frontend::DroppedFunction &F : U.Device->Parsed.Dropped)
    if (F.IsKernel && isChosen(F.Name))
      Answers.push_back(failure(F.Name, F.Mangled,
                                fmt::format("kernel '{}' does not compile: {}",
                                            F.Name, F.Cause.Message),
                                R));
}

llvm::Error KernelModels::nothingChosen() const {
  if (R.Kernels.empty())
    return llvm::createStringError(fmt::format("'{}' has no kernel", R.File));
  std::vector<std::string> Globs;
  for (const KernelGlob &Glob : R.Kernels)
    Globs.push_back(Glob.Text);
  return llvm::createStringError(fmt::format(
      "no kernel of '{}' matches '{}'", R.File, fmt::join(Globs, "' or '")));
}

llvm::Expected<std::vector<ReuseOfKernel>> KernelModels::run() {
  const std::vector<reuse::KernelWork> Works = chooseKernels();
  if (llvm::Error Problem = checkNames(Works))
    return std::move(Problem);
  std::vector<Work> Tasks;
  for (const reuse::KernelWork &W : Works)
    Tasks.push_back([this, &W] { return answer(W); });
  PoolOptions Pool = poolOptions(S.Options, SecondsOfKernel);
  Pool.KeepProcesses = true;
  Pool.MapsMuch = true; // the buffers, and what lies around them
  Progress Shown(Works.size(), S.Options.Quiet);
  const std::vector<Outcome> Outcomes = runTasks(
      Tasks, Pool, [&](size_t Index) { Shown.step(Works[Index].Kernel); });
  std::vector<ReuseOfKernel> Answers;
  for (size_t I = 0; I != Works.size(); ++I) {
    const Outcome &O = Outcomes[I];
    if (O.How != Outcome::Kind::Finished) {
      Answers.push_back(failure(Works[I].Kernel, Works[I].Mangled,
                                describeFailure(Works[I].Kernel, O, Pool), R));
      continue;
    }
    llvm::Expected<llvm::json::Value> Value = llvm::json::parse(O.Output);
    llvm::json::Path::Root Root("answer");
    ReuseOfKernel Answer;
    if (!Value || !fromJSON(*Value, Answer, Root)) {
      const std::string Why =
          llvm::toString(Value ? Root.getError() : Value.takeError());
      Answer = failure(Works[I].Kernel, Works[I].Mangled,
                       fmt::format("{}: the analysis gave no result: {}",
                                   Works[I].Kernel, Why),
                       R);
    }
    Answers.push_back(std::move(Answer));
  }
  addDropped(Answers);
  if (Answers.empty())
    return nothingChosen();
  return Answers;
}

llvm::Expected<std::vector<ReuseOfKernel>>
modelKernels(const Session &S, const ReuseRequest &Request, ReuseUnit &Unit,
             const nvcc::ResourceTable &Resources) {
  return KernelModels(S, Request, Unit, Resources).run();
}

} // namespace warpwise::tool

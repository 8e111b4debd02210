//===- ProfilesCheck.cpp - warpwise profiles check ------------------------===//

#include "kernels/harness/Benchmark.h"
#include "profiler/tool/Command.h"
#include "profiler/tool/Gpu.h"
#include "profiler/tool/Measurement.h"
#include "profiler/tool/Messages.h"
#include "profiler/tool/Recheck.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

namespace fs = std::filesystem;

namespace warpwise::tool {
namespace {

struct Options {
  std::string Name;
  int Device = 0;
  bool Force = false;
};

/// The newest of the user's profiles of \p Gpu, else a built-in one.
io::Expected<profile::Profile> storedFor(const std::string &Gpu) {
  io::Expected<profile::Profile> Newest = io::Failure{fmt::format(
      "there is no profile of {} yet; measure it with 'warpwise profile'",
      Gpu)};
  fs::file_time_type When;
  for (const std::string &Name : profile::userNames()) {
    const fs::path File = fs::path(profile::userFolder()) / (Name + ".json");
    io::Expected<profile::Profile> Each = profile::read(File.string());
    std::error_code Gone;
    const fs::file_time_type Written = fs::last_write_time(File, Gone);
    if (!Each || Gone || Each->Gpu != Gpu || (Newest && Written < When))
      continue;
    When = Written;
    Newest = std::move(Each);
  }
  for (const std::string &Name : profile::builtinNames())
    if (std::optional<profile::Profile> P;
        !Newest && (P = profile::builtin(Name)) && P->Gpu == Gpu)
      Newest = std::move(*P);
  return Newest;
}

/// Measures \p Paths anew. What the benchmarks build on is taken from
/// \p Stored, so only those that provide the paths have to run.
profile::Profile measureAgain(const harness::Device &D, bool MustBeIdle,
                              const profile::Profile &Stored,
                              const Selection &Selected) {
  harness::Session S(
      D, {.Quick = true, .Seed = std::random_device()(), .TraceFolder = ""});
  S.results() = Stored;
  S.results().Curves.clear();
  for (const harness::Benchmark *B : Selected)
    for (const harness::Benchmark::Promise &P : B->Provides)
      S.results().Quantities.erase(std::string(P.Path));
  const MeasureResult Took = measure(S, Selected, MustBeIdle, false);
  if (!Took.Lost.empty())
    throw harness::CudaFailure(Took.Lost);
  if (!Took.Busy.empty())
    throw harness::Skip(
        fmt::format("{}; --force measures all the same", Took.Busy));
  return S.results();
}

/// One sentence about all rows; true when the profile may be kept.
bool judge(const profile::Profile &Stored, const std::vector<Recheck> &Rows,
           std::string &Sentence) {
  const auto Count = [&](Recheck::Verdict V) {
    return std::count_if(Rows.begin(), Rows.end(),
                         [&](const Recheck &R) { return R.Says == V; });
  };
  const auto Good = Count(Recheck::Verdict::Agrees);
  const auto Bad = Count(Recheck::Verdict::Differs);
  if (Good + Bad == 0)
    Sentence = "nothing could be measured, so nothing is known";
  else if (Bad == 0)
    Sentence = fmt::format("{} still describes this {}: {} of {} agree",
                           Stored.Name, Stored.Gpu, Good, Good + Bad);
  else
    Sentence = fmt::format("{} does not describe this {}: {} of {} differ; "
                           "measure it again with 'warpwise profile'",
                           Stored.Name, Stored.Gpu, Bad, Good + Bad);
  return Good > 0 && Bad == 0;
}

int check(const Options &O) {
  const PreparedGpu Gpu = prepareGpu(O.Device, O.Force);
  const harness::Device &D = Gpu.Device;
  const auto Stored = O.Name.empty() ? storedFor(D.Gpu) : profile::find(O.Name);
  if (!Stored) {
    printError(Stored.reason());
    return 1;
  }
  if (Stored->Gpu != D.Gpu) {
    printError(fmt::format("{} is a profile of {}, and this is {}",
                           Stored->Name, Stored->Gpu, D.Gpu));
    return 1;
  }
  std::mt19937_64 Random{std::random_device()()};
  const std::vector<std::string> Paths =
      samplePaths(*Stored, harness::benchmarks(), Random);
  if (Paths.empty()) {
    printError(fmt::format("{} has nothing that can be measured again: {}",
                           Stored->Name, Stored->Origin));
    return 1;
  }
  const profile::Profile Now = measureAgain(
      D, Gpu.MustBeIdle, *Stored, providers(harness::benchmarks(), Paths));
  const std::vector<Recheck> Rows = compare(*Stored, Now, Paths);
  std::string Sentence;
  const bool Good = judge(*Stored, Rows, Sentence);
  return print(table(Rows) + Sentence + "\n") && Good ? 0 : 1;
}

int run(const Options &O) {
  try {
    if (const std::string Why = whyNotMeasuring(); !Why.empty())
      throw harness::Skip(Why);
    return check(O);
  } catch (const std::exception &E) {
    printError(E.what());
    return 1;
  }
}

std::function<int()> declare(CLI::App &App) {
  auto O = std::make_shared<Options>();
  App.add_option("NAME", O->Name,
                 "The profile (default: the newest one of this GPU)");
  App.add_option("--device", O->Device, "Which GPU, counted from 0")
      ->option_text("N");
  App.add_flag("--force", O->Force,
               "Measure although something else uses the GPU");
  return [O] { return run(*O); };
}

const RegisteredCommand Registered({
    .Group = "profiles",
    .Name = "check",
    .Summary = "Measure a few quantities again: does the profile still hold?",
    .Declare = declare,
});

} // namespace
} // namespace warpwise::tool

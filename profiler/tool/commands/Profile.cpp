//===- Profile.cpp - warpwise profile -------------------------------------===//

#include "kernels/harness/Benchmark.h"
#include "profiler/tool/Assemble.h"
#include "profiler/tool/Command.h"
#include "profiler/tool/Gpu.h"
#include "profiler/tool/Interrupt.h"
#include "profiler/tool/Measurement.h"
#include "profiler/tool/Messages.h"
#include "profiler/tool/OutputFile.h"
#include "profiler/tool/reports/Mt4g.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>

namespace warpwise::tool {
namespace {

struct Options {
  int Device = 0;
  bool Quick = false, Force = false, Verbose = false, List = false;
  std::vector<std::string> Only;
  std::string Output, Traces, Export;
  uint64_t Seed = 1;
};

int fail(std::string_view Sentence) {
  printError(Sentence);
  return 1;
}

struct Measured {
  profile::Profile Result; ///< not yet completed
  RunFacts Run;
  std::string Lost, Busy;
};

/// Measures; what is said and written is up to the caller.
Measured measureAll(const Options &O, const Selection &Selected,
                    const PreparedGpu &Gpu, const std::string &Output) {
  const harness::Device &D = Gpu.Device;
  harness::Session S(D, {O.Quick, O.Seed, O.Traces});
  const MeasureResult Took = measure(S, Selected, Gpu.MustBeIdle, O.Verbose);
  Measured M;
  M.Lost = Took.Lost;
  M.Busy = Took.Busy;
  M.Run.Disturbed = Gpu.Disturbed;
  M.Run.Disturbed.insert(M.Run.Disturbed.end(), Took.Disturbed.begin(),
                         Took.Disturbed.end());
  if (!M.Run.Disturbed.empty() && M.Busy.empty())
    printWarning(inference::describe(M.Run.Disturbed));
  M.Run.Name = std::filesystem::path(Output).stem().string();
  M.Run.Quick = O.Quick;
  M.Run.Partial = !O.Only.empty();
  M.Run.Seed = O.Seed;
  M.Run.Seconds = Took.Seconds;
  M.Run.Notes = deviceNotes(D);
  for (const std::string &Note : Took.Notes)
    M.Run.Notes.push_back(Note);
  for (const std::string &Note : M.Run.Notes)
    printNote(Note);
  M.Result = withHead(S, M.Run);
  return M;
}

/// Writes the profile; false after an error, which has been printed.
bool save(const profile::Profile &P, const std::string &Output) {
  const IgnoreSignals Writing;
  const std::string Wrong = profile::write(P, Output);
  if (!Wrong.empty())
    printError(Wrong);
  return Wrong.empty();
}

/// What there is to say and to write after measuring. A run that lost its GPU
/// is only kept where the user asked for the file.
int finish(const Options &O, Measured M, const std::string &Output) {
  if (!M.Busy.empty())
    return fail(fmt::format("{}; nothing was written, --force measures all "
                            "the same",
                            M.Busy));
  // Of a partial run all that it measured is shown, of a whole one the sum.
  std::string Text = O.Only.empty() ? "" : profile::describe(M.Result);
  if (const std::string Wrong = complete(M.Result, M.Run); !Wrong.empty())
    return fail(fmt::format("the measured profile is not valid: {}", Wrong));
  if (O.Only.empty())
    Text = summarize(M.Result, M.Run.Seconds);
  if (!M.Lost.empty())
    printError(M.Lost);
  if (!Output.empty() && (M.Lost.empty() || !O.Output.empty())) {
    if (!save(M.Result, Output))
      return 1;
    Text += fmt::format("written to {}; 'warpwise profiles plot {}' draws it\n",
                        Output, O.Output.empty() ? M.Result.Name : Output);
  } else if (O.Only.empty())
    Text += "no profile was written; --output FILE keeps one of such a run\n";
  if (O.Export == "mt4g")
    Text = reports::toMt4g(M.Result);
  return print(Text) && M.Lost.empty() ? 0 : 1;
}

int run(const Options &O) {
  if (const std::string Why = whyNotMeasuring(); !Why.empty())
    return fail(Why);
  const auto &All = harness::benchmarks();
  if (O.List)
    return print(listBenchmarks(All)) ? 0 : 1;
  const io::Expected<Selection> Selected = select(All, O.Only, O.Quick);
  if (!Selected)
    return fail(Selected.reason());
  std::string Error;
  if (!O.Output.empty())
    Error = whyNotWritable(O.Output);
  if (Error.empty() && !O.Traces.empty())
    Error = whyNotAFolder(O.Traces);
  if (!Error.empty())
    return fail(Error);
  try {
    const Interruptible Here;
    PreparedGpu Gpu;
    if (needsGpu(*Selected))
      Gpu = prepareGpu(O.Device, O.Force);
    else
      Gpu.Device = anyGpu(O.Device);
    std::string Output = O.Output;
    if (Output.empty() && O.Only.empty()) {
      const auto Own = defaultOutput(kebab(Gpu.Device.Gpu));
      if (!Own)
        return fail(Own.reason());
      Output = *Own;
      if (Error = whyNotWritable(Output); !Error.empty())
        return fail(Error);
    }
    return finish(O, measureAll(O, *Selected, Gpu, Output), Output);
  } catch (const std::exception &E) {
    return fail(E.what());
  }
}

std::function<int()> declare(CLI::App &App) {
  auto O = std::make_shared<Options>();
  App.add_option("--device", O->Device, "Which GPU, counted from 0")
      ->option_text("N");
  App.add_flag("--quick", O->Quick,
               "Only what the advisor needs most, in seconds");
  App.add_option("--only", O->Only,
                 "Only this benchmark; may be repeated. Prints what\n"
                 "it measured and writes a file only with --output")
      ->option_text("NAME")
      ->allow_extra_args(false);
  App.add_option("--output", O->Output,
                 "Where to write the profile (default: GPU-NAME.json\n"
                 "in $XDG_DATA_HOME/warpwise/profiles)")
      ->option_text("FILE");
  App.add_option("--traces", O->Traces,
                 "Keep the raw samples as CSV files in this folder")
      ->option_text("DIR");
  App.add_option("--export", O->Export,
                 "Print the profile as another tool would instead of\n"
                 "the summary: mt4g, the JSON of MT4G 1.2")
      ->option_text("FORMAT")
      ->check(CLI::IsMember({"mt4g"}));
  App.add_option("--seed", O->Seed, "Seed of the random access patterns")
      ->option_text("N");
  App.add_flag("--force", O->Force,
               "Measure although something else uses the GPU");
  App.add_flag("--verbose", O->Verbose, "One line for each benchmark");
  App.add_flag("--list", O->List, "List the benchmarks and measure nothing");
  return [O] { return run(*O); };
}

const RegisteredCommand Registered({
    .Group = "",
    .Name = "profile",
    .Summary = "Measure this machine's GPU and keep its device profile",
    .Declare = declare,
});

} // namespace
} // namespace warpwise::tool

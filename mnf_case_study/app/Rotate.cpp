//===- Rotate.cpp - mnf rotate --------------------------------------------===//

#include "mnf_case_study/app/Commands.h"

#include "mnf_case_study/app/Engine.h"
#include "profiler/io/Printable.h"
#include "profiler/io/WriteFile.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdio>

namespace mnf {

static const char *nameOf(NoiseEstimate Estimate) {
  switch (Estimate) {
  case NoiseEstimate::Mean:
    return "mean";
  case NoiseEstimate::Median:
    return "median";
  case NoiseEstimate::Shift:
    return "shift";
  }
  return "";
}

static void print(const RotateOptions &Options, const EnviImage &Image,
                  const Engine &By, const Rotation &Result,
                  const Times &Spent) {
  if (Options.Json) {
    nlohmann::ordered_json Root;
    Root["schema"] = "mnf-times/1";
    Root["image"] = Options.Input;
    Root["bands"] = Image.shape().Bands;
    Root["lines"] = Image.shape().Lines;
    Root["samples"] = Image.shape().Samples;
    Root["type"] = nameOf(Image.header().Type);
    Root["engine"] = By.name();
    for (const Times::Step &S : Spent.steps())
      Root["milliseconds"][S.Name] = S.Milliseconds;
    std::fputs((Root.dump(1) + "\n").c_str(), stdout);
    return;
  }
  const auto [Bands, Lines, Samples] = Image.shape();
  fmt::print("{} bands of {} lines of {} samples, {}, {}\n", Bands, Lines,
             Samples, nameOf(Image.header().Type), By.name());
  for (const Times::Step &S : Spent.steps())
    fmt::print("{:<22} {:>12.3f} ms\n", S.Name, S.Milliseconds);
  std::string Values;
  for (size_t K = 0; K < std::min<size_t>(Bands, 8); ++K)
    Values += fmt::format(" {:.4g}", Result.Eigenvalues[Eigen::Index(K)]);
  fmt::print("largest eigenvalues:{}\n", Values);
}

static Expected<std::unique_ptr<Engine>>
makeEngine(const RotateOptions &Options, const EnviImage &Image) {
  if (Options.Serial)
    return makeSerialEngine(Options.StripMiB << 20);
  GpuWay Way;
  Way.Version = Options.Version;
  Way.Cublas = Options.Cublas;
  Way.Doubles = Options.Doubles;
  if (Options.DeviceMiB)
    Way.Bytes = *Options.DeviceMiB << 20;
  auto OnGpu = makeGpuEngine(Way, Image, Options.Noise, Options.Components);
  if (OnGpu || Options.Version || Options.Cublas || Options.Doubles)
    return OnGpu;
  fmt::print(stderr, "note: {}\nnote: one core of the CPU does it instead\n",
             warpwise::io::printable(OnGpu.reason()));
  return makeSerialEngine(Options.StripMiB << 20);
}

std::string rotate(const RotateOptions &Options) {
  auto Image = EnviImage::open(Options.Input);
  if (!Image)
    return Image.reason();
  const auto [Bands, Lines, Samples] = Image->shape();
  if (Options.Components == 0 || Options.Components > Bands)
    return fmt::format("{} components of an image of {} bands",
                       Options.Components, Bands);
  if (Lines * Samples < 2 || Samples < 2)
    return fmt::format("'{}' is too small to have noise", Image->file());
  if (std::string Why = Image->whyNotFinite(); !Why.empty())
    return Why;
  Times Spent;
  const auto Start = std::chrono::steady_clock::now();
  auto Made =
      Spent.measure("start", [&] { return makeEngine(Options, *Image); });
  if (!Made)
    return Made.reason();
  Engine *By = Made->get();

  Progress Shown(Options.Quiet || Options.Json);
  auto Measured = By->measure(*Image, Options.Noise, Spent, Shown);
  if (!Measured)
    return Measured.reason();
  auto Result = By->solve(*Measured, Spent);
  if (!Result)
    return fmt::format("'{}': {}", Image->file(), Result.reason());

  EnviHeader Header;
  Header.Size = {Options.Components, Lines, Samples};
  Header.Type = SampleType::Float32;
  Header.Description = fmt::format("MNF components of {}", Options.Input);
  for (size_t K = 0; K < Options.Components; ++K)
    Header.BandNames.push_back(
        fmt::format("MNF {} eigenvalue {:.6g}", K + 1,
                    Result->Eigenvalues[Eigen::Index(K)]));
  auto To = ImageWriter::create(Options.Output, Header);
  if (!To)
    return To.reason();
  if (std::string Why =
          By->transform(*Image, *Result, Options.Components, *To, Spent, Shown);
      !Why.empty())
    return Why;
  const std::string JsonFile = Options.Output + ".json";
  if (std::string Why = warpwise::io::writeFile(
          JsonFile, toJson(*Result, nameOf(Options.Noise)));
      !Why.empty())
    return fmt::format("cannot write '{}': {}", JsonFile, Why);
  if (std::string Why = Spent.measure("write", [&] { return To->finish(); });
      !Why.empty())
    return Why;
  Spent.add("all", std::chrono::duration<double, std::milli>(
                       std::chrono::steady_clock::now() - Start)
                       .count());
  print(Options, *Image, *By, *Result, Spent);
  return "";
}

} // namespace mnf

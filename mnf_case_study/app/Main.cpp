//===- Main.cpp - The program mnf -----------------------------------------===//
//
// Reads the command line; the sub-commands are files of their own. An error is
// one sentence on stderr and an exit code of 1.
//
//===----------------------------------------------------------------------===//

#include "mnf_case_study/app/Commands.h"
#include "mnf_case_study/device/Versions.h"
#include "profiler/io/Printable.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <functional>
#include <map>
#include <new>

using namespace mnf;

namespace {

/// "614x1087x224": samples, lines, bands, as the paper writes it.
std::string readSize(const std::string &Text, Shape &To) {
  size_t End = 0;
  if (std::sscanf(Text.c_str(), "%4zux%6zux%4zu%zn", &To.Samples, &To.Lines,
                  &To.Bands, &End) != 3 ||
      End != Text.size() || To.size() == 0)
    return fmt::format("'{}' is no size like 614x1087x224 (samples, lines, "
                       "bands)",
                       Text);
  return "";
}

template <typename T>
CLI::Option *addChoice(CLI::App *To, const std::string &Name, T &Value,
                       std::map<std::string, T> Choices,
                       const std::string &Help) {
  std::string Names;
  for (const auto &Choice : Choices)
    Names += (Names.empty() ? "" : ", ") + Choice.first;
  return To
      ->add_option_function<std::string>(
          Name,
          [&Value, Choices, Name, Names](const std::string &Text) {
            auto It = Choices.find(Text);
            if (It == Choices.end())
              throw CLI::ValidationError(
                  Name, fmt::format("'{}' is not one of {}", Text, Names));
            Value = It->second;
          },
          Help + " (" + Names + ")")
      ->type_name("NAME");
}

int run(int Count, char **Arguments) {
  CLI::App App("Maximum noise fraction rotation of hyperspectral images",
               "mnf");
  App.require_subcommand(1);
  std::function<std::string()> Command;

  GenerateOptions Generate;
  CLI::App *G = App.add_subcommand("generate", "Make a scene with known noise");
  G->add_option("--output", Generate.Output,
                "The image; its header is beside it")
      ->required();
  std::string Size;
  G->add_option("--size", Size,
                "Samples, lines and bands (default: 614x1087x224)");
  addChoice<SampleType>(G, "--type", Generate.Type,
                        {{"uint8", SampleType::UInt8},
                         {"uint16", SampleType::UInt16},
                         {"int16", SampleType::Int16},
                         {"float32", SampleType::Float32}},
                        "Type of the samples, uint8 by default");
  addChoice<Interleave>(G, "--interleave", Generate.Layout,
                        {{"bsq", Interleave::Bsq},
                         {"bil", Interleave::Bil},
                         {"bip", Interleave::Bip}},
                        "Order of the samples, bsq by default");
  G->add_option("--noise", Generate.Noise,
                "Mean deviation of the noise in parts of the brightest sample "
                "(0.01)")
      ->check(CLI::Range(0.0, 1.0));
  G->add_option("--seed", Generate.Seed, "Another scene for each number (1)");
  G->add_flag("--big-endian", Generate.BigEndian, "Byte order of the samples");
  G->callback([&] {
    Command = [&] {
      std::string Why = Size.empty() ? "" : readSize(Size, Generate.Size);
      return Why.empty() ? generate(Generate) : Why;
    };
  });

  RotateOptions Rotate;
  CLI::App *R = App.add_subcommand(
      "rotate", "Write the components, eigenvalues and transformation");
  R->add_option("image", Rotate.Input, "ENVI image or its header")->required();
  R->add_option("--output", Rotate.Output,
                "The components; OUTPUT.hdr and OUTPUT.json are beside them")
      ->required();
  addChoice<NoiseEstimate>(R, "--noise", Rotate.Noise,
                           {{"mean", NoiseEstimate::Mean},
                            {"median", NoiseEstimate::Median},
                            {"shift", NoiseEstimate::Shift}},
                           "What the noise is the difference to, median by "
                           "default");
  R->add_option("--components", Rotate.Components,
                "How many components are written (20)");
  R->add_option("--strip", Rotate.StripMiB,
                "MiB of the image that one core holds at a time (256)")
      ->check(CLI::Range(1, 1 << 20));
  CLI::Option *Serial =
      R->add_flag("--serial", Rotate.Serial,
                  "Use one core of the CPU, as where there is no GPU");
  std::map<std::string, std::optional<int>> Versions;
  for (int Version = 0; Version <= LastVersion; ++Version)
    Versions[fmt::format("V{}", Version)] = Version;
  CLI::Option *Version =
      addChoice(R, "--version", Rotate.Version, Versions,
                "Version of the GPU's steps, the last one by default");
  CLI::Option *Cublas =
      R->add_flag("--cublas", Rotate.Cublas, "Use cuBLAS on the GPU");
  CLI::Option *Doubles =
      R->add_flag("--doubles", Rotate.Doubles,
                  "Use doubles on the GPU, which take every image");
  Serial->excludes(Version)->excludes(Cublas)->excludes(Doubles);
  Version->excludes(Cublas)->excludes(Doubles);
  Cublas->excludes(Doubles);
  R->add_option("--device-memory", Rotate.DeviceMiB,
                "MiB of the GPU's memory that may be used (what is free)")
      ->check(CLI::Range(1, 1 << 20));
  R->add_flag("--json", Rotate.Json, "Print the times as JSON");
  R->add_flag("--quiet", Rotate.Quiet, "No progress");
  R->callback([&] { Command = [&] { return rotate(Rotate); }; });

  InverseOptions Inverse;
  CLI::App *I = App.add_subcommand(
      "inverse", "Turn components back to an image, without the noisy ones");
  I->add_option("components", Inverse.Input, "What rotate wrote")->required();
  I->add_option("--output", Inverse.Output, "The image")->required();
  I->add_option("--keep", Inverse.Keep, "How many components (all)")
      ->check(CLI::PositiveNumber);
  I->callback([&] { Command = [&] { return inverse(Inverse); }; });

  QuicklookOptions Look;
  CLI::App *Q = App.add_subcommand(
      "quicklook", "Draw the components, the eigenvalues and the image before "
                   "and after denoising");
  Q->add_option("image", Look.Image, "ENVI image or its header")->required();
  Q->add_option("rotated", Look.Rotated, "What rotate made of it")->required();
  Q->add_option("--output", Look.Folder, "Folder of the pictures")->required();
  Q->add_option("--keep", Look.Keep,
                "Components of the denoised image (10, or all)")
      ->check(CLI::PositiveNumber);
  Q->add_option("--components", Look.Components, "Components to draw (4)");
  std::vector<size_t> Bands;
  Q->add_option("--bands", Bands, "Bands of red, green and blue, from 1")
      ->delimiter(',')
      ->expected(3);
  Q->callback([&] {
    Command = [&] {
      if (!Bands.empty())
        std::copy_n(Bands.begin(), 3, Look.Bands.begin());
      return quicklook(Look);
    };
  });

  try {
    App.parse(Count, Arguments);
  } catch (const CLI::CallForHelp &Help) {
    return App.exit(Help);
  } catch (const CLI::ParseError &Wrong) {
    fmt::print(stderr, "error: {}\n", warpwise::io::printable(Wrong.what()));
    return 1;
  }
  const std::string Why = Command();
  if (Why.empty())
    return 0;
  fmt::print(stderr, "error: {}\n", warpwise::io::printable(Why));
  return 1;
}

} // namespace

int main(int Count, char **Arguments) {
  try {
    return run(Count, Arguments);
  } catch (const std::bad_alloc &) {
    std::fputs("error: not enough memory for this image; a smaller --strip "
               "needs less\n",
               stderr);
  }
  return 1;
}

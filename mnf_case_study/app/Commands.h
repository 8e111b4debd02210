//===- Commands.h - What the program mnf does -------------------*- C++ -*-===//
//
// One function a sub-command. Each returns an empty string or the reason why
// there is no result, in which case it has left none.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_MNF_CASE_STUDY_APP_COMMANDS_H
#define WARPWISE_MNF_CASE_STUDY_APP_COMMANDS_H

#include "mnf_case_study/image/EnviHeader.h"
#include "mnf_case_study/serial/Noise.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace mnf {

struct GenerateOptions {
  std::string Output;
  Shape Size = {224, 1087, 614};
  SampleType Type = SampleType::UInt8;
  Interleave Layout = Interleave::Bsq;
  double Noise = 0.01;
  uint64_t Seed = 1;
  bool BigEndian = false;
};
std::string generate(const GenerateOptions &Options);

struct RotateOptions {
  std::string Input, Output;
  NoiseEstimate Noise = NoiseEstimate::Median;
  size_t Components = 20;
  size_t StripMiB = 256;
  /// On one core of the CPU, with a version of the GPU's, with cuBLAS, in
  /// doubles. None of them: the fastest way if there is a GPU, and one core if
  /// not.
  bool Serial = false;
  std::optional<int> Version;
  bool Cublas = false;
  bool Doubles = false;
  /// Memory of the GPU that may be used; empty: what is free.
  std::optional<size_t> DeviceMiB;
  bool Json = false;
  bool Quiet = false;
};
std::string rotate(const RotateOptions &Options);

struct InverseOptions {
  /// What rotate wrote.
  std::string Input;
  std::string Output;
  /// How many components are kept; 0: all that are there.
  size_t Keep = 0;
};
std::string inverse(const InverseOptions &Options);

struct QuicklookOptions {
  std::string Image, Rotated, Folder;
  size_t Keep = 0;
  size_t Components = 4;
  /// Bands of red, green and blue, counted from 1. By default what AVIRIS sees
  /// at 650, 550 and 450 nm, in parts of all bands.
  std::array<size_t, 3> Bands = {};
};
std::string quicklook(const QuicklookOptions &Options);

} // namespace mnf

#endif // WARPWISE_MNF_CASE_STUDY_APP_COMMANDS_H

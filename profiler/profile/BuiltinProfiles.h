//===- BuiltinProfiles.h - The profiles in the binary -----------*- C++ -*-===//
//
// What profiler/profiles/*.json looks like in the tools: tables that
// EmbedProfiles.cpp writes when they are built. A measured profile is half a
// megabyte of text, and reading it took a 25th of a small file's parse, each
// time.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_PROFILE_BUILTINPROFILES_H
#define WARPWISE_PROFILER_PROFILE_BUILTINPROFILES_H

#include "profiler/profile/Profile.h"

#include <array>
#include <optional>
#include <span>
#include <string_view>

namespace warpwise::profile {

struct BuiltinProfile {
  /// The members of Quantity, Curve and Guideline, with texts and lists that
  /// lie in the binary.
  struct QuantityRow {
    struct CheckRow {
      std::string_view Method;
      double Value;
      bool Agrees;
    };
    std::string_view Path;
    std::optional<double> Value;
    std::string_view Word, Unit;
    std::optional<std::array<double, 2>> Ci95;
    std::optional<unsigned> N;
    Status State;
    std::string_view Method;
    std::optional<double> Mhz;
    std::optional<CheckRow> Second;
  };
  struct CurveRow {
    std::string_view Path, X, Y;
    std::span<const std::array<double, 2>> Points;
    Status State;
    std::string_view Method;
  };
  struct GuidelineRow {
    std::string_view Id;
    Guideline::Verdict Says;
    std::optional<double> Effect;
    std::string_view Evidence;
  };
  struct EnvironmentRow {
    std::string_view Name, Value;
  };

  std::string_view Name, Gpu, Architecture, Origin; ///< as in Profile
  // Each in the order of its map.
  std::span<const QuantityRow> Quantities;
  std::span<const CurveRow> Curves;
  std::span<const GuidelineRow> Guidelines;
  std::span<const EnvironmentRow> Environment;

  /// Rather than copied from papers.
  bool isMeasured() const { return Origin.starts_with("measured "); }
  Profile unpack() const;
};

/// All of them, sorted by name.
std::span<const BuiltinProfile> builtinProfiles();

} // namespace warpwise::profile

#endif // WARPWISE_PROFILER_PROFILE_BUILTINPROFILES_H

//===- Schema.h - The words and paths of a profile --------------*- C++ -*-===//
//
// What reader, writer and validation share: how the enumerations are spelled,
// and the quantities that Warpwise itself knows, with unit and range. A
// profile may hold others; docs/profile-format.md lists these.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_PROFILE_SCHEMA_H
#define WARPWISE_PROFILER_PROFILE_SCHEMA_H

#include "profiler/profile/Profile.h"

#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

namespace warpwise::profile {

constexpr std::string_view SchemaName = "warpwise-profile";
constexpr unsigned SchemaVersion = 1;

/// The unit of quantities whose value is a word.
constexpr std::string_view WordUnit = "name";

/// How an enumeration is spelled in the document.
template <typename Enum, size_t N>
using Spelling = std::array<std::pair<Enum, std::string_view>, N>;

constexpr Spelling<Status, 7> StatusNames{{
    {Status::Measured, "measured"},
    {Status::Api, "api"},
    {Status::Alias, "alias"},
    {Status::Literature, "literature"},
    {Status::Inferred, "inferred"},
    {Status::NotMeasurable, "not-measurable"},
    {Status::NotConverged, "not-converged"},
}};

constexpr Spelling<Guideline::Verdict, 3> VerdictNames{{
    {Guideline::Verdict::Holds, "holds"},
    {Guideline::Verdict::DoesNotHold, "does-not-hold"},
    {Guideline::Verdict::NotTested, "not-tested"},
}};

template <typename Enum, size_t N>
constexpr std::string_view nameOf(const Spelling<Enum, N> &Names, Enum Value) {
  for (const auto &[Each, Name] : Names)
    if (Each == Value)
      return Name;
  return "";
}

template <typename Enum, size_t N>
constexpr std::optional<Enum> valueOf(const Spelling<Enum, N> &Names,
                                      std::string_view Text) {
  for (const auto &[Each, Name] : Names)
    if (Name == Text)
      return Each;
  return std::nullopt;
}

/// A quantity that Warpwise itself uses or shows.
struct KnownPath {
  std::string_view Path;
  std::string_view Unit;
  double Least, Most; ///< a value outside is a mistake, not a GPU
  /// Every profile has it; it may be not-measurable, with the reason.
  bool Required;
};

/// Sorted by path.
std::span<const KnownPath> knownPaths();
/// The entry for \p Path, or null.
const KnownPath *knownPath(std::string_view Path);

/// Fang's 23 statements, sorted: a profile may have no others, and the tests
/// hold those that profiler/inference judges against them.
std::span<const std::string_view> guidelineIds();

} // namespace warpwise::profile

#endif // WARPWISE_PROFILER_PROFILE_SCHEMA_H

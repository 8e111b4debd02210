//===- Profile.h - What was measured on a GPU -------------------*- C++ -*-===//
//
// The device profile: a tree of quantities, each with its unit, its interval
// and where it comes from. Written by the profiler, read by the advisor; knows
// neither CUDA nor Clang. A quantity is addressed by its dotted path in the
// JSON document ("warp.shared.cycles_per_wavefront").
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_PROFILE_PROFILE_H
#define WARPWISE_PROFILER_PROFILE_PROFILE_H

#include "profiler/io/Expected.h"
#include "profiler/profile/EntryPath.h"

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpwise::profile {

/// Where a value comes from and whether it is one.
enum class Status {
  Measured,      ///< by the built-in microbenchmarks on this device
  Api,           ///< reported by the CUDA runtime
  Alias,         ///< the same thing as another quantity on this device
  Literature,    ///< published; Method names the source
  Inferred,      ///< computed from other quantities; Method says how
  NotMeasurable, ///< no value; Method says why
  NotConverged   ///< a value that did not get stable
};

/// The status as the document spells it: "not-measurable".
std::string_view statusName(Status S);

struct Quantity {
  std::optional<double> Value; ///< unset when NotMeasurable or a word
  /// What is no number, such as a replacement policy: "LRU". Then Unit is
  /// "name" and Value is unset.
  std::string Word;
  std::string Unit; ///< "clk", "B", "GB/s", "MHz", "name", "1" for a ratio
  std::optional<std::array<double, 2>> Ci95;
  std::optional<unsigned> N; ///< samples behind Value
  Status State = Status::Literature;
  std::string Method;        ///< how, or the citation
  std::optional<double> Mhz; ///< SM clock during the measurement
  /// A second, independent method.
  struct Check {
    std::string Method;
    double Value = 0;
    bool Agrees = false;

    bool operator==(const Check &) const = default;
  };
  std::optional<Check> Second;

  bool operator==(const Quantity &) const = default;
};

/// A measured dependence, such as latency over footprint.
struct Curve {
  std::string X, Y; ///< what the axes show, with units: "footprint [B]"
  std::vector<std::array<double, 2>> Points;
  Status State = Status::Literature;
  std::string Method;

  bool operator==(const Curve &) const = default;
};

/// Whether one of Fang's 23 statements holds on this device.
struct Guideline {
  enum class Verdict {
    Holds,
    DoesNotHold,
    NotTested
  } Says = Verdict::NotTested;
  /// Size of the effect as a ratio, 1 = none.
  std::optional<double> Effect;
  std::string Evidence;

  bool operator==(const Guideline &) const = default;
};

/// The verdict as the document spells it: "does-not-hold".
std::string_view verdictName(Guideline::Verdict V);

struct Profile {
  std::string Name;         ///< "nvidia-h100", the file's stem
  std::string Gpu;          ///< "NVIDIA H100 PCIe", as the driver says
  std::string Architecture; ///< "sm_90"
  std::string Origin;       ///< one line: measured when and how, or literature
  std::map<std::string, Quantity> Quantities;  ///< by dotted path
  std::map<std::string, Curve> Curves;         ///< by dotted path
  std::map<std::string, Guideline> Guidelines; ///< by id, "S_1"
  /// What the numbers were taken under: "driver" -> "580.82.07".
  std::map<std::string, std::string> Environment;

  bool operator==(const Profile &) const = default;

  /// The quantity at \p Path, or null.
  const Quantity *find(EntryPath Path) const;
  /// Its value, or nothing when it is absent or has none.
  std::optional<double> value(EntryPath Path) const;
  /// The curve at \p Path, or null.
  const Curve *curve(EntryPath Path) const;
  /// False only when the guideline was tested and does not hold.
  bool mayHold(std::string_view GuidelineId) const;
};

/// Parses and validates a document. \p Origin names it in errors, which are one
/// sentence with the field at fault.
io::Expected<Profile> parse(std::string_view Json, std::string_view Origin);
/// Reads and validates the file at \p Path.
io::Expected<Profile> read(const std::string &Path);

/// A field of a profile that is not what it has to be.
struct Violation {
  std::string Path; ///< "levels.l2.latency"
  std::string What; ///< "value is not a finite number"

  std::string text() const { return Path + ": " + What; }
};

/// The first that is wrong with \p P. What passes here can be written and read
/// back.
std::optional<Violation> validate(const Profile &P);

/// The document for \p P, which must be valid; stable in order and formatting.
std::string toJson(const Profile &P);
/// Validates \p P, writes to a temporary file beside \p Path and renames it.
/// Returns an empty string, or one sentence that says what failed; then
/// \p Path is untouched. The folder has to exist.
std::string write(const Profile &P, const std::string &Path);

/// Names of the built-in profiles, sorted.
std::vector<std::string> builtinNames();
/// The built-in profile \p Name; the build has validated its document.
std::optional<Profile> builtin(std::string_view Name);

/// Where the user's own profiles are: $XDG_DATA_HOME/warpwise/profiles, or the
/// same below ~/.local/share. Empty when there is no home either.
std::string userFolder();
/// Names of the profiles there, sorted.
std::vector<std::string> userNames();

/// The profile that the user means by \p Text: a path to a file, or a name or
/// part of the GPU's name, case ignored, user's own before built-in ones
/// ("h100", "k20c", "tesla-k20c"). The error lists what there is.
io::Expected<Profile> find(std::string_view Text);
/// The profile for an architecture such as "sm_90" when the user named none:
/// one that was measured and lies in the user's folder, else a built-in one,
/// else the built-in one of the newest architecture. "sm_90a" is "sm_90".
Profile forArchitecture(std::string_view Architecture);

/// A page of text for `warpwise profiles show`.
std::string describe(const Profile &P);

} // namespace warpwise::profile

#endif // WARPWISE_PROFILER_PROFILE_PROFILE_H

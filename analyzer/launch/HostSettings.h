//===- HostSettings.h - What the host interpreter assumes -------*- C++ -*-===//
//
// The machine and the run that the host code is interpreted for, and how much
// work that may be. Without any of it, what differs between GPUs is unknown and
// the command line is in doubt.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_LAUNCH_HOSTSETTINGS_H
#define WARPWISE_ANALYZER_LAUNCH_HOSTSETTINGS_H

#include "profiler/profile/ArchitectureLimits.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace warpwise::launch {

/// What a kernel needs of an SM, besides its threads.
struct KernelNeeds {
  unsigned Registers = 0; ///< for each thread
  uint64_t StaticSharedBytes = 0;
  unsigned MaxThreads = profile::MostBlockThreads; ///< of a block, as compiled
};

/// From here on it hardly matters how large a table is: the lanes of a warp
/// that look into it at random find sectors of their own.
constexpr int64_t MostTableBytes = 4096;

struct HostSettings {
  /// Members of cudaDeviceProp by name, those with one integer. A member that
  /// is missing is what all GPUs have, in doubt, or unknown.
  std::map<std::string, int64_t, std::less<>> Device;
  /// The program's arguments, without its name. Unset: none, in doubt.
  std::optional<std::vector<std::string>> CommandLine;
  /// By mangled name; for the occupancy functions of the runtime.
  std::map<std::string, KernelNeeds, std::less<>> Kernels;
  /// Taken, in doubt, for a kernel that is not among those.
  std::optional<KernelNeeds> UsualKernel;

  /// Wants every launch that the program may make, not a run of it: what
  /// differs from path to path is told path by path, and what a loop changes
  /// is not known in the iterations that are not walked.
  bool Alternatives = false;

  /// Statements for one function that the walk starts from. Real programs take
  /// a few thousand, at 0.7 us each.
  unsigned StepsPerRoot = 50'000;
  /// For an outermost loop without launches, inner loops and calls included:
  /// reference implementations on the CPU are not worth more.
  unsigned StepsWithoutLaunch = 2'000;
  /// Iterations before the rest of a loop is extrapolated; with launches in it.
  unsigned Iterations = 32, LaunchIterations = 32;
};

} // namespace warpwise::launch

#endif // WARPWISE_ANALYZER_LAUNCH_HOSTSETTINGS_H

//===- Assemble.h - From a run's recordings to a profile --------*- C++ -*-===//
//
// What the benchmarks recorded becomes a whole document: names, origin,
// environment, guidelines, and a reason for every quantity that is missing.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_TOOL_ASSEMBLE_H
#define WARPWISE_PROFILER_TOOL_ASSEMBLE_H

#include "kernels/harness/Session.h"
#include "profiler/inference/Idleness.h"
#include "profiler/profile/Profile.h"

#include <string>
#include <string_view>
#include <vector>

namespace warpwise::tool {

/// "NVIDIA H100 80GB HBM3" -> "nvidia-h100-80gb-hbm3"; a name for a file.
std::string kebab(std::string_view Gpu);

struct RunFacts {
  std::string Name; ///< of the profile; empty: from the GPU's name
  bool Quick = false;
  bool Partial = false; ///< only some benchmarks ran
  uint64_t Seed = 0;
  double Seconds = 0;             ///< wall time of the benchmarks
  std::vector<std::string> Notes; ///< what a reader has to know of the run
  /// When the GPU had other work besides; only of forced runs.
  std::vector<inference::Disturbance> Disturbed;
};

/// The document's head and environment around what \p S recorded.
profile::Profile withHead(const harness::Session &S, const RunFacts &Run);

/// Makes \p P valid: quantities that every profile has and this run has not
/// become not-measurable with the reason, guidelines are decided, and what the
/// schema refuses (a value out of all bounds) becomes not-measurable with the
/// refusal, so that one wrong number does not cost the run. Returns an empty
/// string or one sentence that says why it is not valid even so.
std::string complete(profile::Profile &P, const RunFacts &Run);

/// Notes about the device that belong into its profile: a part of a GPU (MIG),
/// an architecture newer than this version.
std::vector<std::string> deviceNotes(const harness::Device &D);

/// One sentence when \p D is too old to be measured, or an empty string.
std::string tooOld(const harness::Device &D);

/// What the command prints at the end: how much was measured, the numbers that
/// people ask for first, and what is missing and why, by reason.
std::string summarize(const profile::Profile &P, double Seconds);

} // namespace warpwise::tool

#endif // WARPWISE_PROFILER_TOOL_ASSEMBLE_H

//===- Evidence.h - What the tests of statements share ----------*- C++ -*-===//
//
// The statements of each memory in a list of their own, and the words in which
// their tests quote the profile.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_INFERENCE_GUIDELINES_EVIDENCE_H
#define WARPWISE_PROFILER_INFERENCE_GUIDELINES_EVIDENCE_H

#include "profiler/inference/AccessRules.h"
#include "profiler/inference/Guidelines.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace warpwise::inference::guidelines {

using profile::Guideline;
using profile::Profile;
using Verdict = Guideline::Verdict;
using Path = std::string_view;

std::span<const Statement> ofLocalMemory();
std::span<const Statement> ofSharedMemory();
std::span<const Statement> ofConstantMemory();
std::span<const Statement> ofGlobalMemory();
std::span<const Statement> ofTextureMemory();

Guideline verdict(bool Holds, std::optional<double> Effect,
                  std::string Evidence);
Guideline notTested(std::string Reason);

/// A value that the statement's needs promise, so that it is there.
double at(const Profile &P, Path Where);
/// "30.1 clk (warp.shared.conflict.degree_1)".
std::string cited(const Profile &P, Path Where);

/// \p To over \p From, and a text that quotes both.
struct Change {
  double Ratio;
  std::string Text;
};
Change change(const Profile &P, Path From, Path To);
/// A ratio and its inverse are the same change.
double eitherWay(double Ratio);

/// The values of a path with "sm_*" in it, by architecture (90 for sm_90),
/// ascending.
std::vector<std::pair<unsigned, double>> byArchitecture(const Profile &P,
                                                        Path Pattern);

/// Whether the memory does what Fang says, by his decision rules on
/// warp.<memory>.broadcast.degree_*.
enum class Expected { Both, Broadcast, Serial };
Guideline testCapability(const Profile &P, Path Memory, Expected What);

/// What warp.<memory>.constraint.<pattern> costs over the aligned, consecutive
/// pattern, and the texts that quote them.
double constraintRatio(const Profile &P, Path Memory, Path Pattern);
std::string citedConstraint(const Profile &P, Path Memory, Path Pattern);
std::string citedAligned(const Profile &P, Path Memory);

} // namespace warpwise::inference::guidelines

#endif // WARPWISE_PROFILER_INFERENCE_GUIDELINES_EVIDENCE_H

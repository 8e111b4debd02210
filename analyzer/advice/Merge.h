//===- Merge.h - One finding for each place in the source -------*- C++ -*-===//
//
// A template with fourteen instantiations, a device function inlined into nine
// kernels and a header included from six files are one thing to fix. Merging
// is associative: workers merge their own findings and the parent merges
// theirs, in any order, with the same result.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_ADVICE_MERGE_H
#define WARPWISE_ANALYZER_ADVICE_MERGE_H

#include "analyzer/advice/Finding.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpwise::advice {

/// Extra cycles per warp over its run of the kernel, at all places: what
/// findings are ranked by.
double totalExtraCycles(const Finding &F);

/// One finding for each rule and file:line:column, sorted by them. The
/// costliest one speaks for the others.
std::vector<Finding> mergeFindings(std::vector<Finding> Findings);

/// One finding for each cause: the costliest place speaks, the others are in
/// its Also. For what mergeFindings made of all units, less what is suppressed:
/// a comment at one place leaves the others.
std::vector<Finding> joinCauses(std::vector<Finding> Findings);

/// "about 3.1x faster [2.6, 3.4] when repaired", for the end of a message.
std::string stateGain(const price::Gain &G);

/// "the kernel takes about 12 us, bound by L2".
std::string describeTime(const price::Gain &G);

/// "about 31 cycles more per request of a warp on NVIDIA H100",
/// or empty when \p F has no cost because the profile has no price.
std::string describeCost(const Finding &F, std::string_view Gpu);

/// The index of the note that is the reason, or nothing.
std::optional<size_t> findReason(const Finding &F);

/// Those that gain most first, then the costliest; equal ones in the order of
/// the source.
void rankFindings(std::vector<Finding> &Findings);

/// "in 12 of 14 instantiations, costliest in reduce<float, 512>", or empty
/// when there is only one. Not a part of Finding::Notes, because it changes
/// with every merge: writers print it as a note of its own.
std::string describeInstances(const Finding &F);

} // namespace warpwise::advice

#endif // WARPWISE_ANALYZER_ADVICE_MERGE_H

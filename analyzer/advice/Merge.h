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

#include <vector>

namespace warpwise::advice {

/// Extra cycles per warp over its run of the kernel, at all places.
double totalExtraCycles(const Finding &F);

/// One finding for each rule and file:line:column, sorted by them. The
/// costliest one speaks for the others.
std::vector<Finding> mergeFindings(std::vector<Finding> Findings);

/// One finding for each cause: the costliest place speaks, the others are in
/// its Also. For what mergeFindings made of all units, less what is suppressed:
/// a comment at one place leaves the others.
std::vector<Finding> joinCauses(std::vector<Finding> Findings);

/// Those first that save most of a launch's time. Behind them those of launches
/// whose time is not known, which promise less (docs/price.md): those that gain
/// most, then the costliest; equal ones in the order of the source.
void rankFindings(std::vector<Finding> &Findings);

} // namespace warpwise::advice

#endif // WARPWISE_ANALYZER_ADVICE_MERGE_H

//===- Diff.h - What differs between two profiles ---------------*- C++ -*-===//
//
// The page of `warpwise profiles diff A B`: did the driver, the clock or the
// card change anything that counts.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_TOOL_REPORTS_DIFF_H
#define WARPWISE_PROFILER_TOOL_REPORTS_DIFF_H

#include "profiler/profile/Profile.h"

#include <string>

namespace warpwise::reports {

struct Difference {
  std::string Text;         ///< tables and, in the last line, the verdict
  bool Significant = false; ///< whether anything differs significantly
};

/// Compares \p B with \p A. Significant are
///  - sizes (unit B) that are not equal;
///  - other numbers that lie outside each other's 95 % interval by more than
///    1 % (as fresh processes differ on one card), or, where neither
///    has an interval, by more than 1 %; where one has, both rules have to
///    agree;
///  - words and units that are not equal;
///  - a value that one profile has and the other could not measure or not get
///    stable;
///  - guidelines that hold in one and do not hold in the other.
/// Listed but not significant: paths that only one of them has (a quick
/// profile is no other GPU), guidelines tested in one only, and what they were
/// measured under. The sections validation and run are left out: their probes
/// are random, and wall times are no property of the GPU. Control characters in
/// names and words are replaced, so the text is safe to print.
Difference diff(const profile::Profile &A, const profile::Profile &B);

} // namespace warpwise::reports

#endif // WARPWISE_PROFILER_TOOL_REPORTS_DIFF_H

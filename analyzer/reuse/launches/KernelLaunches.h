//===- KernelLaunches.h - Which launches of a kernel count ------*- C++ -*-===//
//
// From the launches that the host code shows, and what the user says, to the
// input of a trace. A host loop may launch a kernel a thousand times with other
// arguments each time; the host interpreter sees some of them, which are
// numbered here, and those between them follow where arguments grow evenly.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_REUSE_LAUNCHES_KERNELLAUNCHES_H
#define WARPWISE_ANALYZER_REUSE_LAUNCHES_KERNELLAUNCHES_H

#include "analyzer/reuse/launches/Allocations.h"
#include "analyzer/reuse/launches/UserInput.h"
#include "analyzer/reuse/trace/KernelTrace.h"

namespace warpwise::reuse {

struct ChosenLaunch {
  LaunchInput Input;
  std::optional<launch::Dim3> Grid, Block; ///< as far as they are known
  Place At;                                ///< as in launch::Launch
  /// Counted from 1 among the kernel's launches; unset when all that are known
  /// with its grid and block are the same.
  std::optional<unsigned> Invocation;
  /// What may differ when the program runs, a clause each.
  std::vector<std::string> Assumptions;
  /// What has to be known before it can be modelled, in one sentence.
  std::string Missing;
};

struct ChosenLaunches {
  std::vector<ChosenLaunch> Launches; ///< at least one
  /// Says which of many different launches were chosen; or empty.
  std::string Note;
};

/// What the source says of a kernel's launches.
struct SourceLaunches {
  std::vector<launch::Launch> Seen; ///< in the order of the source
  AllocationTable Allocations;
};

/// \p Kernel: its name for messages.
ChosenLaunches chooseLaunches(const std::string &Kernel,
                              const std::vector<Parameter> &Parameters,
                              const SourceLaunches &Known,
                              const UserInput &User);

/// The numbers of \p Seen, ascending, from 1 on. Where a host loop was not
/// followed step by step, an argument that grows evenly tells them.
std::vector<unsigned> numberLaunches(const std::vector<launch::Launch> &Seen);

/// The launch with \p Number, which need not be among \p Seen; nothing when it
/// lies outside of them. A grid or block that is not known is unset.
std::optional<launch::Launch>
launchWithNumber(unsigned Number, const std::vector<launch::Launch> &Seen,
                 const std::vector<unsigned> &Numbers);

} // namespace warpwise::reuse

#endif // WARPWISE_ANALYZER_REUSE_LAUNCHES_KERNELLAUNCHES_H

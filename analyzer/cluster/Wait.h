//===- Wait.h - Until the tasks of a job are over ---------------*- C++ -*-===//

#ifndef WARPWISE_ANALYZER_CLUSTER_WAIT_H
#define WARPWISE_ANALYZER_CLUSTER_WAIT_H

#include "analyzer/cluster/Queue.h"
#include "analyzer/cluster/WorkFolder.h"

#include "llvm/Support/Error.h"

#include <chrono>
#include <functional>
#include <map>
#include <vector>

namespace warpwise::cluster {

/// The tasks of \p Folder that \p Queue has, with their states.
std::map<unsigned, Queued> tasksIn(const std::vector<Queued> &Queue,
                                   const WorkFolder &Folder);

struct WaitOptions {
  /// Zero: as long as the queue has the job.
  std::chrono::seconds Timeout{0};
  /// Whether the user has stopped the run.
  std::function<bool()> IsStopped;
  /// Is called with each task that has written its result.
  std::function<void(unsigned Task)> WhenOver;
  /// Is called once, with the reason, when no task has begun for a while.
  std::function<void(const std::string &Reason)> WhenStuck;
};

/// Returns when each of \p Open has written its result or is not in the queue
/// any more. The error says why nobody waits any longer; the job stays.
llvm::Error waitFor(const WorkFolder &Folder, const std::vector<unsigned> &Open,
                    const WaitOptions &Options);

} // namespace warpwise::cluster

#endif // WARPWISE_ANALYZER_CLUSTER_WAIT_H

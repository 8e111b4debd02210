//===- Queue.h - What Slurm is asked ----------------------------*- C++ -*-===//
//
// sbatch, squeue and sinfo, as programs with arguments: no shell reads what is
// said to them. Each call has a time limit.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_CLUSTER_QUEUE_H
#define WARPWISE_ANALYZER_CLUSTER_QUEUE_H

#include "analyzer/cluster/WorkFolder.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace warpwise::cluster {

/// "1-3,7" of sorted numbers.
std::string rangesOf(const std::vector<unsigned> &Numbers);

/// What to say to sbatch for one array, or for one task that is a job of its
/// own. \p Own is what the user says besides.
std::vector<std::string> batchArguments(const WorkFolder &Folder,
                                        const std::vector<unsigned> &Array,
                                        const std::vector<std::string> &Own);
std::vector<std::string> batchArguments(const WorkFolder &Folder, unsigned Task,
                                        const std::vector<std::string> &Own);

/// The number of the job that sbatch makes of its arguments. The error is what
/// sbatch says, in one sentence.
llvm::Expected<std::string> submit(const std::vector<std::string> &Arguments);

/// A task that waits or runs.
struct Queued {
  std::string Job;
  unsigned Index = 0; ///< in an array; 0: the job is no array
  std::string State;  ///< "PENDING"
  std::string Reason; ///< "Resources"
};

/// Those of the user.
llvm::Expected<std::vector<Queued>> queued();
std::vector<Queued> parseQueue(llvm::StringRef Text);

struct Node {
  std::string Name;
  std::string State; ///< "idle"
  unsigned Gpus = 0;

  /// Whether jobs on it begin.
  bool isUp() const;
};

/// Sorted by name. \p Partition: only its nodes; empty: all.
llvm::Expected<std::vector<Node>> nodes(const std::string &Partition);
std::vector<Node> parseNodes(llvm::StringRef Text);

} // namespace warpwise::cluster

#endif // WARPWISE_ANALYZER_CLUSTER_QUEUE_H

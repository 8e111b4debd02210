//===- WorkerPool.h - Work in processes that may crash ----------*- C++ -*-===//
//
// A compiler fed with arbitrary code will crash some day, and LLVM's error
// handling ends the process when it does. So every translation unit is analysed
// in a forked process: a crash or a hang costs that one result, and as many run
// at a time as there are jobs. The processes are confined (Confinement.h): what
// arbitrary code makes of them does no harm. Where processes are kept, that
// holds as well, but nothing shows what a task did to its process's memory
// without a crash: tasks that may have done so have to say it.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_ANALYZER_TOOL_WORKERPOOL_H
#define WARPWISE_ANALYZER_TOOL_WORKERPOOL_H

#include "analyzer/confinement/Confinement.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace warpwise::tool {

/// Runs in the forked process; what it returns is handed to the parent.
using Work = std::function<std::string()>;

struct Outcome {
  enum class Kind {
    Finished,    ///< Output is what the work returned
    Crashed,     ///< ended by Signal or with an exit code, without a result
    TimedOut,    ///< killed after the time limit
    Stuck,       ///< killed when it did not end, though it took little time
    OutOfMemory, ///< ended at the memory limit
    OutOfStack,  ///< ended at the end of its stack
    Interrupted, ///< the user has stopped the run
    NotRun       ///< the system would not start a process; Output says why
  } How = Kind::NotRun;
  std::string Output;
  int Signal = 0; ///< 0 when the process ended by itself
  /// The last line that the process wrote to stderr, which is kept from the
  /// terminal: what LLVM says before it gives up.
  std::string LastWords;
};

struct PoolOptions {
  unsigned Jobs = 1;
  /// Of a task, in CPU time; 0: none.
  std::chrono::milliseconds TimeLimit = std::chrono::seconds(120);
  /// A task that takes ten times as long and this, however little CPU time it
  /// had, is stuck.
  std::chrono::milliseconds Patience = std::chrono::seconds(60);
  /// Of a process, in bytes beyond what the parent has; 0: none.
  uint64_t MemoryLimit = uint64_t(4) << 30;
  /// The tasks map far more memory than they use: only what they use counts,
  /// and a moment may pass until it does.
  bool MapsMuch = false;
  /// A task WithChildren may run a pool of its own, and shows its progress; it
  /// is never stuck.
  confinement::Level Level = confinement::Level::Alone;
  /// A process does one task after the other, with the memory that it already
  /// has, until one crashes or takes too long; then another does the rest. A
  /// task that crashes in a process that did others is tried once more in a new
  /// one. Otherwise each task has a process of its own.
  bool KeepProcesses = false;
  /// Bytes by which a process may grow and still be kept.
  uint64_t MostGrowth = uint64_t(256) << 20;
};

/// For tasks that may have damaged the memory of their process: it gets no
/// other one.
void leaveProcessAfterTask();

/// From now on the first Ctrl-C of the user, or SIGTERM, ends the tasks of all
/// pools: those that are not done are Interrupted. The second Ctrl-C ends the
/// process.
void stopOnInterrupt();
bool wasInterrupted();

/// Runs all of \p Tasks and returns their outcomes in the same order.
/// \p WhenDone is called with the index of each task that ends, in the order
/// in which they end.
std::vector<Outcome> runTasks(const std::vector<Work> &Tasks,
                              const PoolOptions &Options,
                              llvm::function_ref<void(size_t)> WhenDone);

/// One sentence for an outcome that is not Finished: "a.cu: the analysis
/// crashed (signal 11)".
std::string describeFailure(const std::string &Name, const Outcome &Result,
                            const PoolOptions &Options);

} // namespace warpwise::tool

#endif // WARPWISE_ANALYZER_TOOL_WORKERPOOL_H

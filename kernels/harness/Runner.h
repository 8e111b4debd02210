//===- Runner.h - Runs microbenchmarks one after the other ------*- C++ -*-===//
//
// What can go wrong in a benchmark stays in it: the quantities that it promised
// become not-measurable with the reason, and the next one runs. Plain C++, so
// that the tests run made-up benchmarks without a GPU.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_KERNELS_HARNESS_RUNNER_H
#define WARPWISE_KERNELS_HARNESS_RUNNER_H

#include "kernels/harness/Benchmark.h"
#include "kernels/harness/Session.h"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace warpwise::harness {

/// What the runner asks of the GPU between two benchmarks.
class Watch {
public:
  virtual ~Watch() = default;
  /// The SM's clock under load in MHz; takes milliseconds. May throw
  /// CudaFailure.
  virtual double clock() = 0;
  /// Why nothing can run on the GPU any more, or an empty string. An illegal
  /// access, for instance, ends a CUDA context for good.
  virtual std::string lost() = 0;
  /// What else the GPU has to do, as inference::whyBusy() says, or an empty
  /// string; takes some milliseconds. May throw CudaFailure.
  virtual std::string busy() { return ""; }
  /// Whether nothing is worth measuring beside that.
  virtual bool mustBeIdle() { return false; }
};

/// How one benchmark went.
struct Outcome {
  const Benchmark *What = nullptr;
  double Seconds = 0;  ///< wall time, all repetitions
  std::string Failure; ///< empty, or why it ended early
  /// Clock before and after when it moved by more than 1 % in two runs in a
  /// row; else 0.
  double MhzBefore = 0, MhzAfter = 0;
  /// Empty, or why the GPU had other work after two runs in a row.
  std::string Disturbed;
};

/// What the caller hears; each may be empty. Both are called on the thread of
/// runAll.
struct RunEvents {
  std::function<void(const Benchmark &)> Started;
  std::function<void(const Outcome &)> Ended;
};

struct RunResult {
  std::vector<Outcome> Outcomes; ///< of those that ran
  /// Empty when all ran; else what took the GPU away, with the benchmark.
  std::string Lost;
  /// Empty, or in which benchmark a GPU that must be idle was not, and why: the
  /// run ended there.
  std::string Busy;
};

/// Runs \p Selected by stage, then by name. Those that need no GPU run beside
/// the others in a thread and end last. Afterwards every promise of every
/// selected benchmark is in S.results(), as is `run.seconds.<name>`.
RunResult runAll(Session &S, std::span<const Benchmark *const> Selected,
                 Watch &Gpu, const RunEvents &Tell = {});

} // namespace warpwise::harness

#endif // WARPWISE_KERNELS_HARNESS_RUNNER_H

//===- Measurement.h - Runs benchmarks for a command ------------*- C++ -*-===//
//
// What `profile` and `profiles check` share: which benchmarks, on which GPU,
// with the progress on stderr.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_TOOL_MEASUREMENT_H
#define WARPWISE_PROFILER_TOOL_MEASUREMENT_H

#include "kernels/harness/Runner.h"
#include "kernels/harness/Session.h"
#include "profiler/inference/Idleness.h"
#include "profiler/tool/DeviceLock.h"

#include <span>
#include <string>
#include <vector>

namespace warpwise::tool {

using Selection = std::vector<const harness::Benchmark *>;

/// The benchmarks called \p Only; all (or all quick ones) when it is empty.
/// Not when there is no such benchmark.
io::Expected<Selection> select(std::span<const harness::Benchmark> All,
                               const std::vector<std::string> &Only,
                               bool Quick);

/// The table of `warpwise profile --list`.
std::string listBenchmarks(std::span<const harness::Benchmark> All);

bool needsGpu(const Selection &Selected);

/// A GPU that can be measured, and that other runs leave alone meanwhile.
struct PreparedGpu {
  harness::Device Device;
  DeviceLock Lock;
  bool MustBeIdle = true;
  std::vector<inference::Disturbance> Disturbed; ///< only where forced
};

/// Opens GPU \p Ordinal and makes sure that it can be measured; \p Force goes
/// on although something else uses it, after a warning. Throws Skip or
/// CudaFailure with one sentence.
PreparedGpu prepareGpu(int Ordinal, bool Force);
/// GPU \p Ordinal for benchmarks that can do without; no facts when there is
/// none.
harness::Device anyGpu(int Ordinal);

struct MeasureResult {
  double Seconds = 0;
  std::string Lost, Busy; ///< as in RunResult
  std::vector<inference::Disturbance> Disturbed;
  std::vector<std::string> Notes; ///< benchmarks in which the clock moved
};

/// Runs \p Selected and shows the progress, or with \p Verbose a line for each.
/// Where \p MustBeIdle, it ends when others begin to use the GPU.
MeasureResult measure(harness::Session &S, const Selection &Selected,
                      bool MustBeIdle, bool Verbose);

} // namespace warpwise::tool

#endif // WARPWISE_PROFILER_TOOL_MEASUREMENT_H

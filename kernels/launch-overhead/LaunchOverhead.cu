//===- LaunchOverhead.cu - What a launch costs ----------------------------===//
//
// A null kernel alone, many in a stream, many in a graph, and what a kernel
// costs before its first byte: T(V) = T0 + V / b over the volume V.
//
//===----------------------------------------------------------------------===//

#include "kernels/harness/Benchmark.h"
#include "kernels/harness/Cuda.h"
#include "kernels/harness/Queued.h"
#include "kernels/harness/Timing.cuh"
#include "profiler/profile/Paths.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <optional>

namespace warpwise::harness {
namespace {

__global__ void nothing() {}

__global__ void stamp(uint64_t *Out) { *Out = globalNanoseconds(); }

/// Reads and writes a volume once, all SMs.
__global__ void increment(uint4 *Memory, unsigned Count) {
  for (unsigned I = blockIdx.x * blockDim.x + threadIdx.x; I < Count;
       I += gridDim.x * blockDim.x) {
    uint4 V = Memory[I];
    ++V.x;
    Memory[I] = V;
  }
}

/// Nanoseconds of the host's clock that \p Work takes.
double hostNanoseconds(const std::function<void()> &Work) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point From = Clock::now();
  Work();
  return std::chrono::duration<double, std::nano>(Clock::now() - From).count();
}

/// Kernels in a row: enough to make the ends small, and few enough for the
/// queue of a stream.
constexpr unsigned Row = 500;

void launchRow() {
  for (unsigned I = 0; I != Row; ++I)
    nothing<<<1, 32>>>();
}

void measureLatency(Session &S) {
  auto Once = [] {
    nothing<<<1, 32>>>();
    finish();
  };
  auto Sample = [&] {
    std::vector<double> Times(25);
    for (double &Time : Times)
      Time = hostNanoseconds(Once);
    return inference::median(Times);
  };
  Sample();
  S.measured(paths::device_launch_latency, "ns",
             inference::untilStable(Sample, {.Relative = 0.01}),
             "null kernel from launch to the end of cudaDeviceSynchronize, "
             "host clock, medians of 25");
}

void measureStream(Session &S) {
  auto FromHost = [] {
    return hostNanoseconds([] {
             launchRow();
             finish();
           }) /
           Row;
  };
  FromHost();
  S.measured(
      paths::device_launch_per_kernel_stream, "ns",
      inference::untilStable(FromHost, {.Relative = 0.01}),
      fmt::format("{} null kernels back to back in a stream, host clock", Row));
  // The device waits until all are queued, so the host has no share.
  const uint64_t Hold = 2'000'000;
  S.measured(
      paths::device_launch_per_kernel_queued, "ns",
      inference::untilStable(
          [&] { return queuedMilliseconds(launchRow, {}, Hold) * 1e6 / Row; },
          {.Relative = 0.01}),
      fmt::format("{} null kernels that were queued before, by events", Row));
  // The second clock is the device's own: two kernels around the row tell when
  // they run.
  Buffer<uint64_t> Stamps(2);
  const inference::Estimate Stamped = inference::untilStable(
      [&] {
        finish();
        holdDevice(Hold);
        stamp<<<1, 1>>>(Stamps.get());
        launchRow();
        stamp<<<1, 1>>>(Stamps.get() + 1);
        finish();
        const std::vector<uint64_t> Times = Stamps.download();
        return double(Times[1] - Times[0]) / (Row + 1);
      },
      {.Least = 5, .Most = 15, .Relative = 0.01});
  S.check(paths::device_launch_per_kernel_queued,
          "global timer in the kernels before and after the row", Stamped.Value,
          0.1);
}

/// A graph of a row of null kernels, each after the one before.
class RowGraph {
public:
  RowGraph() {
    check(cudaStreamCreate(&Stream));
    check(cudaStreamBeginCapture(Stream, cudaStreamCaptureModeThreadLocal));
    for (unsigned I = 0; I != Row; ++I)
      nothing<<<1, 32, 0, Stream>>>();
    check(cudaStreamEndCapture(Stream, &Graph));
    check(cudaGraphInstantiate(&Executable, Graph, 0));
    check(cudaGraphUpload(Executable, Stream));
    check(cudaStreamSynchronize(Stream));
  }
  ~RowGraph() {
    if (Executable)
      cudaGraphExecDestroy(Executable);
    if (Graph)
      cudaGraphDestroy(Graph);
    if (Stream)
      cudaStreamDestroy(Stream);
  }
  RowGraph(const RowGraph &) = delete;
  RowGraph &operator=(const RowGraph &) = delete;

  void launch() const { check(cudaGraphLaunch(Executable, Stream)); }

private:
  cudaStream_t Stream = nullptr;
  cudaGraph_t Graph = nullptr;
  cudaGraphExec_t Executable = nullptr;
};

void measureGraph(Session &S) {
  const RowGraph Graph;
  auto Sample = [&] {
    return hostNanoseconds([&] {
             Graph.launch();
             finish();
           }) /
           Row;
  };
  Sample();
  S.measured(
      paths::device_launch_per_kernel_graph, "ns",
      inference::untilStable(Sample, {.Relative = 0.01}),
      fmt::format("a graph of {} null kernels in a chain, host clock", Row));
}

/// T(V) = T0 + V / b for volumes that stay in L2. Every point has the same
/// relative weight, so that the small volumes count.
void measureFit(Session &S) {
  const Device &D = S.device();
  constexpr unsigned Threads = 512, Kernels = 20;
  const uint64_t Most = D.L2Bytes / 4;
  Buffer<uint4> Memory(Most / sizeof(uint4));
  Memory.zero();
  std::vector<double> InverseTime, VolumePerTime, Ones;
  std::vector<std::array<double, 2>> Points;
  for (uint64_t Bytes = 32 << 10; Bytes <= Most; Bytes *= 2) {
    const auto Count = static_cast<unsigned>(Bytes / sizeof(uint4));
    const unsigned Blocks =
        std::min((Count + Threads - 1) / Threads, 4 * D.SmCount);
    auto Launch = [&] {
      for (unsigned I = 0; I != Kernels; ++I)
        increment<<<Blocks, Threads>>>(Memory.get(), Count);
    };
    Launch();
    const inference::Estimate Time = inference::untilStable(
        [&] { return queuedMilliseconds(Launch, {}, 150'000) * 1e6 / Kernels; },
        {.Relative = 0.01});
    const double Volume = 2 * double(Bytes);
    Points.push_back({Volume, Time.Value});
    InverseTime.push_back(1 / Time.Value);
    VolumePerTime.push_back(Volume / Time.Value);
    Ones.push_back(1);
  }
  S.curve(paths::device_launch_time_by_volume, "bytes read and written",
          "time per kernel [ns]", std::move(Points),
          fmt::format("{} queued kernels that increment a buffer in L2, by "
                      "events",
                      Kernels));
  const std::vector<double> Columns[] = {InverseTime, VolumePerTime};
  const std::optional<inference::Fit> F =
      inference::leastSquares(Columns, Ones);
  if (!F || F->Coefficients[1] <= 0)
    throw Skip("the time of a kernel does not grow with its volume");
  S.inferred(paths::device_launch_fit_overhead, "ns", F->Coefficients[0],
             fmt::format("T0 of T(V) = T0 + V / b over volumes in L2, queued "
                         "kernels, median error {:.1f} %",
                         100 * F->MedianError));
  S.inferred(paths::device_launch_fit_bandwidth, "GB/s", 1 / F->Coefficients[1],
             "b of T(V) = T0 + V / b over volumes in L2, read and written");
}

void run(Session &S) {
  measureLatency(S);
  measureStream(S);
  measureGraph(S);
  measureFit(S);
}

const Registration Registered({
    .Name = "launch-overhead",
    .Measures = "cost of launches: alone, in a stream, in a graph",
    .When = Stage::Device,
    .Provides = {{paths::device_launch_latency, "ns"},
                 {paths::device_launch_per_kernel_stream, "ns"},
                 {paths::device_launch_per_kernel_queued, "ns"},
                 {paths::device_launch_per_kernel_graph, "ns"},
                 {paths::device_launch_fit_overhead, "ns"},
                 {paths::device_launch_fit_bandwidth, "GB/s"}},
    .Run = run,
});

} // namespace
} // namespace warpwise::harness

//===- Clock.cu - The SM's clock and what the runtime says ----------------===//

#include "kernels/harness/Benchmark.h"
#include "kernels/harness/Cuda.h"
#include "kernels/harness/Timing.cuh"
#include "profiler/profile/Paths.h"

namespace warpwise::harness {
namespace {

__global__ void spin(uint64_t Nanoseconds, uint64_t *Out) {
  const uint64_t FromTime = globalNanoseconds();
  const uint64_t FromClock = clock64Now();
  uint64_t Time;
  do
    Time = globalNanoseconds();
  while (Time - FromTime < Nanoseconds);
  Out[0] = clock64Now() - FromClock;
  Out[1] = Time - FromTime;
}

/// Smallest difference between two readings of the global timer.
__global__ void timerTick(uint64_t *Out) {
  uint64_t Least = ~0ull;
  uint64_t Last = globalNanoseconds();
  for (unsigned Changes = 0; Changes != 64;) {
    const uint64_t Now = globalNanoseconds();
    if (Now == Last)
      continue;
    Least = min(Least, Now - Last);
    Last = Now;
    ++Changes;
  }
  Out[0] = Least;
}

void run(Session &S) {
  Buffer<uint64_t> Out(2);
  const inference::Estimate Clock = inference::untilStable([&] {
    spin<<<1, 1>>>(5'000'000, Out.get());
    finish();
    const std::vector<uint64_t> Took = Out.download();
    return 1000.0 * double(Took[0]) / double(Took[1]);
  });
  S.measured(paths::device_clock, "MHz", Clock,
             "SM cycles over the global timer's nanoseconds, 5 ms windows");
  const Device &D = S.device();
  if (D.MaxClockMhz > 0)
    S.check(paths::device_clock, "maximum clock that the CUDA runtime reports",
            D.MaxClockMhz, 0.02);

  timerTick<<<1, 1>>>(Out.get());
  finish();
  S.exact(paths::device_timer_tick, "ns", double(Out.download()[0]),
          "smallest step seen between readings of the global timer", 64);

  S.api(paths::device_sm_count, "1", D.SmCount, "CUDA runtime");
  S.api(paths::device_shared_per_block, "B", double(D.SharedBytesPerBlock),
        "CUDA runtime, opt-in maximum");
  S.api(paths::levels_shared_capacity, "B", double(D.SharedBytesPerSm),
        "CUDA runtime");
  S.api(paths::levels_shared_reserved_per_block, "B",
        double(D.ReservedSharedBytesPerBlock), "CUDA runtime");
  S.api(paths::levels_l2_capacity, "B", double(D.L2Bytes), "CUDA runtime");
  S.api(paths::levels_dram_capacity, "B", double(D.MemoryBytes),
        "CUDA runtime");
  if (D.MemoryMhz > 0)
    S.api(paths::device_memory_clock, "MHz", D.MemoryMhz, "CUDA runtime");
  if (D.MemoryBusBits > 0)
    S.api(paths::device_memory_bus, "bit", D.MemoryBusBits, "CUDA runtime");
  if (D.MemoryMhz > 0 && D.MemoryBusBits > 0)
    S.inferred(paths::levels_dram_bandwidth_peak, "GB/s",
               D.MemoryMhz * 2 * D.MemoryBusBits / 8 / 1000,
               "memory clock x 2 x bus width, from the CUDA runtime");
}

const Registration Registered({
    .Name = "clock",
    .Measures = "SM clock, timer resolution, facts of the runtime",
    .When = Stage::Device,
    .Quick = true,
    .Provides = {{paths::device_clock, "MHz"},
                 {paths::device_timer_tick, "ns"},
                 {paths::device_sm_count, "1"}},
    .Run = run,
});

} // namespace
} // namespace warpwise::harness

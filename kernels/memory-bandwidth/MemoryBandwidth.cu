//===- MemoryBandwidth.cu - What every level of the memory can move -------===//
//
// L1, shared memory, L2 and DRAM, each as the best of a search: who measures
// with one kernel measures that kernel.
//
//===----------------------------------------------------------------------===//

#include "kernels/harness/Benchmark.h"
#include "kernels/memory-bandwidth/Caches.cuh"
#include "kernels/memory-bandwidth/Dram.cuh"
#include "profiler/profile/Paths.h"

namespace warpwise::harness {
namespace {

void run(Session &S) {
  {
    Caches Near(S);
    Near.l1();
    Near.shared();
    Near.l2();
    Near.l2SharedBuffer();
    Near.l2Write();
  }
  Dram Far(S);
  Far.read();
  if (!S.quick())
    Far.occupancy();
  Far.write();
  Far.copy();
  Far.triad();
}

const Registration Registered({
    .Name = "memory-bandwidth",
    .Measures = "bandwidth of L1, shared memory, L2 and DRAM",
    .When = Stage::Bandwidth,
    .Quick = true,
    .Provides = {{paths::levels_l1_bandwidth, "GB/s"},
                 {paths::levels_l1_bytes_per_clock, "B/clk"},
                 {paths::levels_shared_bandwidth, "GB/s"},
                 {paths::levels_shared_bytes_per_clock, "B/clk"},
                 {paths::levels_l2_bandwidth, "GB/s"},
                 {paths::levels_l2_bandwidth_plateau_from, "B"},
                 {paths::levels_l2_bandwidth_plateau_to, "B"},
                 {paths::levels_l2_bytes_per_clock_sm, "B/clk"},
                 {paths::levels_l2_bandwidth_shared_buffer, "GB/s"},
                 {paths::levels_l2_bandwidth_write, "GB/s"},
                 {paths::levels_dram_bandwidth_read, "GB/s"},
                 {paths::levels_dram_bandwidth_write, "GB/s"},
                 {paths::levels_dram_bandwidth_copy, "GB/s"},
                 {paths::levels_dram_bandwidth_triad, "GB/s"}},
    .Run = run,
});

} // namespace
} // namespace warpwise::harness

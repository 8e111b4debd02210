//===- MemoryBandwidth.cu - What every level of the memory can move -------===//
//
// L1, shared memory, L2 and DRAM, each as the best of a search: who measures
// with one kernel measures that kernel.
//
//===----------------------------------------------------------------------===//

#include "kernels/harness/Benchmark.h"
#include "kernels/memory-bandwidth/Caches.cuh"
#include "kernels/memory-bandwidth/Dram.cuh"

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
    .Provides = {{"levels.l1.bandwidth", "GB/s"},
                 {"levels.l1.bytes_per_clock", "B/clk"},
                 {"levels.shared.bandwidth", "GB/s"},
                 {"levels.shared.bytes_per_clock", "B/clk"},
                 {"levels.l2.bandwidth", "GB/s"},
                 {"levels.l2.bandwidth_plateau_from", "B"},
                 {"levels.l2.bandwidth_plateau_to", "B"},
                 {"levels.l2.bytes_per_clock_sm", "B/clk"},
                 {"levels.l2.bandwidth_shared_buffer", "GB/s"},
                 {"levels.l2.bandwidth_write", "GB/s"},
                 {"levels.dram.bandwidth_read", "GB/s"},
                 {"levels.dram.bandwidth_write", "GB/s"},
                 {"levels.dram.bandwidth_copy", "GB/s"},
                 {"levels.dram.bandwidth_triad", "GB/s"}},
    .Run = run,
});

} // namespace
} // namespace warpwise::harness

//===- Counters.h - Hardware counters, where they can be had ----*- C++ -*-===//
//
// The GPU's own counters over a range of launches, by the Range Profiler of
// CUPTI 12.6 and later. Nothing in a profile depends on them: they check what
// was found by timing. This library alone includes cupti*.h, and it links
// nothing of CUPTI or of the driver: both are opened at run time, so that
// without them, or without the right to count, there is a reason instead.
//
// CUPTI leaves the clocks alone unless it is asked to lock them, and nobody
// asks here. Once used, its hooks stay in the driver until the process ends: a
// launch then costs the host one or two microseconds more, a kernel takes as
// long as before (both seen on an H200 with CUDA 13.0).
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_COLLECT_COUNTERS_H
#define WARPWISE_PROFILER_COLLECT_COUNTERS_H

#include "profiler/io/Expected.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace warpwise::collect {

using io::Expected;
using io::Failure;

/// Names of metrics, each a number of 32-byte sectors, from the metrics
/// reference of Nsight Compute's documentation
/// (docs.nvidia.com/nsight-compute).
namespace metric {
/// That loads of global memory looked up in L1, and found there.
inline constexpr char L1Loads[] =
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum";
inline constexpr char L1LoadHits[] =
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum";
/// That L1 read from L2, and that were there.
inline constexpr char L2Reads[] = "lts__t_sectors_srcunit_tex_op_read.sum";
inline constexpr char L2ReadHits[] =
    "lts__t_sectors_srcunit_tex_op_read_lookup_hit.sum";
/// That were read from DRAM, for whomever.
inline constexpr char DramReads[] = "dram__sectors_read.sum";
} // namespace metric

/// Counts in the CUDA context that was current when it was opened, which has to
/// live longer. One at a time per process.
class Counters {
public:
  /// Asks the device for \p Metrics. \p Library is the file of libcupti; when
  /// it is empty, the loader's folders are searched, then the toolkits of
  /// CUDA_PATH, CUDA_HOME and /usr/local/cuda.
  static Expected<Counters> open(std::vector<std::string> Metrics,
                                 const std::string &Library = {});
  Counters(Counters &&Other) noexcept;
  Counters &operator=(Counters &&Other) noexcept;
  ~Counters();

  /// How often a launch is repeated until all metrics are counted; the hardware
  /// counts a few at a time.
  unsigned passes() const;

  /// Calls \p Launch once per pass and returns the values of the metrics, in
  /// their order. All work of the context in a call is counted, and it has to
  /// be the same in each. What \p Launch throws ends the counting and is passed
  /// on.
  Expected<std::vector<double>> count(const std::function<void()> &Launch);

private:
  struct State;
  explicit Counters(std::unique_ptr<State> It);
  std::unique_ptr<State> It;
};

} // namespace warpwise::collect

#endif // WARPWISE_PROFILER_COLLECT_COUNTERS_H

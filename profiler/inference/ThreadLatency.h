//===- ThreadLatency.h - Latency against loads in flight --------*- C++ -*-===//
//
// Lashgar et al. (HEART 2015): a block of N threads issues L independent loads
// per thread and takes the time until all have arrived. When a table of pending
// requests is full, the next request waits for a whole round trip, and the
// curve jumps. They read the jump off a plot of the variance of three
// neighbours; here it is a fit, because on a modern part the latency also grows
// with every request that the pipeline has to serve, table or not.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_PROFILER_INFERENCE_THREADLATENCY_H
#define WARPWISE_PROFILER_INFERENCE_THREADLATENCY_H

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace warpwise::inference {

constexpr unsigned WarpSize = 32;

/// One curve. Thread t's load l reads the word at byte (t / Merge) * StepBytes
/// of the l-th array; arrays begin at lines of their own, and nothing that is
/// read lies in the L1 yet.
struct ThreadLatencySeries {
  unsigned LoadsPerThread = 1;
  /// Neighbouring threads that read the same word: 1 (unique) to 32
  /// ("Merger32").
  unsigned Merge = 1;
  /// Bytes between the words of neighbouring groups: 32 for a sector each, 128
  /// for a line each.
  unsigned StepBytes = 128;
  struct Point {
    unsigned Threads = 0;
    double Cycles = 0; ///< of the block, from before the first load
  };
  std::vector<Point> Points; ///< by ascending threads, at least six to see much
};

/// What is counted to tell how full a table is.
enum class InFlight {
  Lines,                ///< unique 128-byte lines
  Sectors,              ///< unique 32-byte sectors
  WarpLoads,            ///< load instructions of warps
  WarpLoadsPerScheduler ///< the same, of the fullest scheduler
};
constexpr InFlight AllAxes[] = {InFlight::Lines, InFlight::Sectors,
                                InFlight::WarpLoads,
                                InFlight::WarpLoadsPerScheduler};
/// "unique lines", "warp loads".
std::string_view axisName(InFlight Axis);

/// What the counts depend on; the defaults are those of sm_70 and later.
struct SmShape {
  unsigned LineBytes = 128;
  unsigned SectorBytes = 32;
  unsigned Schedulers = 4; ///< warp w belongs to scheduler w mod this
};

/// How many of \p Axis are in flight when \p Threads threads have issued their
/// loads.
uint64_t countInFlight(const ThreadLatencySeries &S, unsigned Threads,
                       InFlight Axis, const SmShape &Sm = {});

/// Lashgar's curve: the unbiased variance of each point and its two neighbours;
/// zero at both ends.
std::vector<double> varianceCurve(const ThreadLatencySeries &S);

/// How a curve grows.
enum class Growth {
  Flat,      ///< by less than a tenth of a round trip
  Ramp,      ///< steadily: the throughput of the path, no table
  Saturates, ///< then by round trips: a table is full
  Bends      ///< faster from some point on, but not by round trips
};

struct SeriesShape {
  Growth Form = Growth::Flat;
  /// Where it saturates or bends: with LastFree threads it has not yet, with
  /// FirstFull it has; the 95 % interval of the change point.
  unsigned LastFree = 0, FirstFull = 0;
  double Step = 0; ///< jump there, cycles
  double Rise = 0; ///< from the first point to the last, cycles
  /// The thread count after which Lashgar's variance is largest.
  unsigned SpikeAfter = 0;
};

/// \p RoundTrip is how long one request takes when it is alone, in cycles.
/// Knees are seen if they rise by a tenth of it at least: a table whose entries
/// are served more slowly than they are filled (entries * cycles per request
/// near RoundTrip) cannot be told from a ramp.
SeriesShape shapeOf(const ThreadLatencySeries &S, double RoundTrip);

} // namespace warpwise::inference

#endif // WARPWISE_PROFILER_INFERENCE_THREADLATENCY_H

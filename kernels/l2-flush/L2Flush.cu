//===- L2Flush.cu - What a warm L2 is worth, by size ----------------------===//
//
// Lashgar's Fig. 2: a copy that finds its data in L2 against one that finds a
// flushed L2. What the warm cache saves grows with the size until no more fits;
// that size is a measurement of the capacity that does not time single loads.
//
//===----------------------------------------------------------------------===//

#include "kernels/harness/Benchmark.h"
#include "kernels/harness/Cuda.h"
#include "kernels/harness/Queued.h"
#include "profiler/inference/Curves.h"
#include "profiler/profile/Paths.h"

#include <optional>

namespace warpwise::harness {
namespace {

/// As in the paper, each thread copies one element of 8 bytes.
__global__ void copyElements(const uint2 *In, uint2 *Out, unsigned Count) {
  const unsigned I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < Count)
    Out[I] = In[I];
}

constexpr unsigned Threads = 256;
constexpr uint64_t BytesPerBlock = 2 * sizeof(uint2) * Threads;

/// Copies of which source and destination together are a footprint.
class Copies {
public:
  explicit Copies(const Device &D)
      : D(D), Most(4 * D.L2Bytes / BytesPerBlock * BytesPerBlock),
        Memory(Most / sizeof(uint2)) {
    Memory.zero();
    flushL2(D); // allocates its buffer
    finish();
  }

  /// Median nanoseconds of copying \p Footprint bytes.
  double nanoseconds(uint64_t Footprint, bool Flushed) const {
    auto Copy = [&] {
      const auto Count = static_cast<unsigned>(Footprint / (2 * sizeof(uint2)));
      copyElements<<<Count / Threads, Threads>>>(Memory.get(),
                                                 Memory.get() + Count, Count);
    };
    auto Before = [&] {
      flushL2(D);
      for (unsigned Round = 0; !Flushed && Round != 2; ++Round)
        Copy();
    };
    const inference::Estimate E = inference::untilStable(
        [&] { return 1e6 * queuedMilliseconds(Copy, Before); },
        {.Least = 9, .Most = 15, .Relative = 0.01});
    return E.Value;
  }
  uint64_t most() const { return Most; }

private:
  const Device &D;
  uint64_t Most;
  Buffer<uint2> Memory;
};

/// From 64 KiB by powers of two to an eighth of L2, then in steps of a
/// sixteenth to twice its size and of a quarter to four times.
std::vector<uint64_t> footprints(uint64_t L2Bytes, uint64_t Most) {
  std::vector<uint64_t> Sizes;
  for (uint64_t Size = 64 << 10; Size < L2Bytes / 8; Size *= 2)
    Sizes.push_back(Size);
  const uint64_t Step = L2Bytes / 16;
  for (unsigned I = 2; I <= 32; ++I)
    Sizes.push_back(I * Step);
  for (unsigned I = 9; I <= 16; ++I)
    Sizes.push_back(I * 4 * Step);
  for (uint64_t &Size : Sizes)
    Size = std::min(Size / BytesPerBlock * BytesPerBlock, Most);
  return Sizes;
}

void run(Session &S) {
  const uint64_t L2Bytes = S.device().L2Bytes;
  if (8 * L2Bytes > S.device().FreeBytes)
    throw Skip("eight times L2 of free memory is needed");
  const Copies C(S.device());
  std::vector<double> Sizes, Warm, Flushed;
  std::vector<std::array<double, 2>> WarmCurve, FlushedCurve;
  for (uint64_t Size : footprints(L2Bytes, C.most())) {
    Sizes.push_back(double(Size));
    Warm.push_back(C.nanoseconds(Size, false));
    Flushed.push_back(C.nanoseconds(Size, true));
    WarmCurve.push_back({Sizes.back(), Warm.back() / Sizes.back()});
    FlushedCurve.push_back({Sizes.back(), Flushed.back() / Sizes.back()});
  }
  S.trace("copies", {{"footprint [B]", Sizes},
                     {"warm [ns]", Warm},
                     {"flushed [ns]", Flushed}});
  const char *X = "source and destination [B]", *Y = "time per byte [ns]";
  S.curve(paths::levels_l2_copy_time_by_size_warm, X, Y, std::move(WarmCurve),
          "copy of 8-byte elements, one per thread, after two of the same");
  S.curve(paths::levels_l2_copy_time_by_size_flushed, X, Y,
          std::move(FlushedCurve),
          "copy of 8-byte elements, one per thread, after L2 was overwritten");

  // Small copies are mostly launch; beyond twice L2 only the noise grows.
  std::vector<double> Fitted, Gain;
  for (size_t I = 0; I != Sizes.size(); ++I)
    if (Sizes[I] >= 0.12 * double(L2Bytes) &&
        Sizes[I] <= 2.01 * double(L2Bytes)) {
      Fitted.push_back(Sizes[I]);
      Gain.push_back(Flushed[I] - Warm[I]);
    }
  const profile::EntryPath Path = paths::levels_l2_capacity_by_flush;
  const std::optional<double> Capacity = inference::bend(Fitted, Gain);
  if (!Capacity) {
    S.notMeasurable(Path, "B", "the time that a warm L2 saves has no knee");
    return;
  }
  S.inferred(Path, "B", *Capacity,
             "footprint at which the time that a warm L2 saves a copy stops "
             "growing, as the bend of a piecewise linear fit");
  S.check(paths::levels_l2_capacity,
          "footprint at which a warm L2 saves a copy no more time", *Capacity,
          0.25);
}

const Registration Registered({
    .Name = "l2-flush",
    .Measures = "copies with a warm and a flushed L2",
    .When = Stage::Bandwidth,
    .Provides = {{paths::levels_l2_capacity_by_flush, "B"}},
    .Run = run,
});

} // namespace
} // namespace warpwise::harness

//===- Caches.cuh - Bandwidth of L1, shared memory and L2 -------*- C++ -*-===//

#ifndef WARPWISE_KERNELS_MEMORYBANDWIDTH_CACHES_CUH
#define WARPWISE_KERNELS_MEMORYBANDWIDTH_CACHES_CUH

#include "kernels/harness/Queued.h"
#include "kernels/harness/Search.h"
#include "kernels/memory-bandwidth/Bulk.cuh"
#include "kernels/memory-bandwidth/Streams.cuh"
#include "profiler/inference/Curves.h"
#include "profiler/profile/Paths.h"

#include <cmath>
#include <optional>

namespace warpwise::harness {
inline namespace memoryBandwidth {

/// Vectors that a block goes over in shared memory, and an SM in L1.
constexpr unsigned NearVectors = 2048;

/// Reads shared memory without conflicts; as in readWalk the compiler does not
/// know that a pass repeats the one before.
template <unsigned Unroll>
__global__ void __launch_bounds__(1024, 1)
    readShared(Walk W, unsigned *Wrong, Span *Spans) {
  __shared__ uint4 Words[NearVectors];
  for (unsigned I = threadIdx.x; I < NearVectors; I += blockDim.x)
    Words[I] = make_uint4(I, 2 * I, 3 * I, I ^ 2 * I ^ 3 * I);
  __syncthreads();
  const auto Base = static_cast<uint32_t>(__cvta_generic_to_shared(Words));
  const uint64_t From = clock64Now();
  uint32_t Bad = 0;
#pragma unroll 1
  for (unsigned Pass = 0; Pass != W.Passes; ++Pass) {
    uint32_t At = Base + threadIdx.x * 16;
#pragma unroll 1
    for (unsigned T = 0; T != W.Tiles; ++T, At += unsigned(W.TilePitch) * 16) {
      uint4 V[Unroll];
#pragma unroll
      for (unsigned K = 0; K != Unroll; ++K)
        asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(V[K].x), "=r"(V[K].y), "=r"(V[K].z), "=r"(V[K].w)
                     : "r"(At + K * blockDim.x * 16));
#pragma unroll
      for (unsigned K = 0; K != Unroll; ++K)
        Bad |= parity(V[K]);
    }
  }
  if (Bad)
    atomicAdd(Wrong, 1);
  __syncthreads();
  if (threadIdx.x == 0)
    Spans[blockIdx.x] = {From, clock64Now(), smId()};
}

using SharedKernel = void (*)(Walk, unsigned *, Span *);

/// What one run of a reader reached.
struct Reading {
  double Rate = 0;     ///< GB/s by events
  double PerClock = 0; ///< bytes per cycle of an SM by its own clock
};

/// A way to read a footprint again and again.
struct Reader {
  std::string Name;
  std::function<Walk(uint64_t Bytes)> Cover; ///< the walk over a footprint
  std::function<void(const Walk &)> Launch;
  /// Tiles per block below which requests for the same memory overlap.
  unsigned LeastTiles = 1;
};

class Caches {
public:
  explicit Caches(Session &S)
      : S(S), D(S.device()), Counter(1), Spans(size_t(D.SmCount) * 32),
        // The largest footprint is one and a half times L2.
        Memory(2 * D.L2Bytes / 16) {
    Counter.zero();
    fillParity<<<D.SmCount * 8, 256>>>(Memory.get(), Memory.size());
    finish();
  }

  void l1();
  void shared();
  void l2();
  void l2Write();
  void l2SharedBuffer();

private:
  /// What a run moves, so that it lasts half a millisecond and more.
  static constexpr double L2RunBytes = 6e9;

  Reading run(const Reader &R, const Walk &W);
  void nearest(const std::string &Level, const std::vector<Reader> &All,
               const std::string &What);
  std::vector<Reader> l2Readers(bool Same);
  /// Rate over footprint, for the \p Shares of L2 that \p R can go over.
  std::vector<std::array<double, 2>> sweep(const Reader &R,
                                           const std::vector<double> &Shares,
                                           std::vector<inference::Estimate> &E);
  Winner find(const std::vector<Reader> &All, uint64_t Footprint,
              const std::string &Trace);

  Session &S;
  const Device &D;
  Buffer<unsigned> Counter;
  Buffer<Span> Spans;
  Buffer<uint4> Memory;
};

inline Reading Caches::run(const Reader &R, const Walk &W) {
  const double Bytes = 16.0 * double(W.vectors());
  const double Time = queuedMilliseconds([&] { R.Launch(W); });
  return {gigabytesPerSecond(Bytes, Time),
          bytesPerClock(Spans.download(W.Blocks), Bytes / W.Blocks)};
}

inline Winner Caches::find(const std::vector<Reader> &All, uint64_t Footprint,
                           const std::string &Trace) {
  S.Progress(Trace);
  std::vector<Candidate> Candidates;
  for (const Reader &Each : All) {
    const Walk W = Each.Cover(Footprint);
    const bool Fits = W.Tiles >= Each.LeastTiles;
    Candidates.push_back(
        {Each.Name, [=, this, &Each] { return Fits ? run(Each, W).Rate : 0; }});
  }
  const Winner Best = search(Candidates, S.quick() ? 1 : 2, S.quick() ? 1 : 3);
  traceScan(S, Trace, Best);
  if (Counter.download()[0] != 0)
    throw CudaFailure(fmt::format("{}: wrong data were read", Trace));
  return Best;
}

/// What L1 and shared memory have in common: the winner of \p All in GB/s, and
/// its bytes per cycle.
inline void Caches::nearest(const std::string &Level,
                            const std::vector<Reader> &All,
                            const std::string &What) {
  const uint64_t Footprint = NearVectors * 16;
  const Winner Best = find(All, Footprint, Level);
  S.measured(paths::ofLevel(Level, "bandwidth"), "GB/s", Best.Rate,
             fmt::format("{}, all SMs, {}", What, Best.method()));
  const Reader &R = All[Best.Index];
  const Walk W = R.Cover(Footprint);
  const std::string Path = paths::ofLevel(Level, "bytes_per_clock");
  S.measured(Path, "B/clk",
             inference::untilStable([&] { return run(R, W).PerClock; }),
             fmt::format("{}, median over the SMs by their own clocks: {}",
                         What, R.Name));
  if (const std::optional<double> Mhz = S.value(paths::device_clock))
    S.check(Path, "bandwidth of all SMs by events over device.clock",
            Best.Rate.Value * 1000 / (*Mhz * D.SmCount), 0.03);
}

/// Launch shapes whose tiles divide the near footprint.
struct NearShape {
  unsigned Threads, Unroll, BlocksPerSm;

  Walk walk(const Device &D) const {
    const unsigned Blocks = BlocksPerSm * D.SmCount;
    const Walk Once = sameForAll(NearVectors, Blocks, Threads * Unroll);
    // Two million cycles, a millisecond, at 128 bytes per cycle.
    return repeated(Once, 2e6 * 128 * D.SmCount);
  }
  std::string name() const {
    return fmt::format("{} blocks of {} threads per SM, {} accesses in flight "
                       "per thread",
                       BlocksPerSm, Threads, Unroll);
  }
};

inline std::vector<NearShape> nearShapes(bool Quick) {
  if (Quick)
    return {{512, 4, 1}, {256, 8, 1}};
  return {{512, 4, 1}, {1024, 2, 1}, {256, 8, 1}, {256, 4, 1}, {512, 2, 1},
          {512, 4, 2}, {512, 2, 2},  {256, 8, 2}, {256, 4, 2}, {128, 8, 2}};
}

inline void Caches::l1() {
  std::vector<Reader> All;
  for (const NearShape &Each : nearShapes(S.quick())) {
    const ReadKernel Kernel = readKernel<Fetch::Cached>(Each.Unroll);
    preferCarveout(reinterpret_cast<const void *>(Kernel), 0);
    All.push_back({Each.name(), [=, this](uint64_t) { return Each.walk(D); },
                   [=, this](const Walk &W) {
                     Kernel<<<W.Blocks, Each.Threads>>>(
                         Memory.get(), W, Counter.get(), Spans.get());
                   }});
  }
  nearest("l1", All,
          fmt::format("16-byte ld.global.ca that hit in {} KiB",
                      NearVectors * 16 / 1024));
}

inline void Caches::shared() {
  static constexpr SharedKernel Kernels[] = {readShared<1>, readShared<2>,
                                             readShared<4>, readShared<8>};
  std::vector<Reader> All;
  for (const NearShape &Each : nearShapes(S.quick())) {
    const SharedKernel Kernel = forUnroll(Kernels, Each.Unroll);
    preferCarveout(reinterpret_cast<const void *>(Kernel), 100);
    All.push_back({Each.name(), [=, this](uint64_t) { return Each.walk(D); },
                   [=, this](const Walk &W) {
                     Kernel<<<W.Blocks, Each.Threads>>>(W, Counter.get(),
                                                        Spans.get());
                   }});
  }
  nearest("shared", All, "16-byte ld.shared without bank conflicts");
}

/// Readers of L2: slices that belong to one block each, or the \p Same buffer
/// for all.
inline std::vector<Reader> Caches::l2Readers(bool Same) {
  struct Shape {
    unsigned Threads, BlocksPerSm, Unroll;
  };
  const std::vector<Shape> Shapes =
      S.quick() ? std::vector<Shape>{{512, 2, 2}, {1024, 1, 4}}
                : std::vector<Shape>{{512, 2, 2},  {1024, 1, 4}, {1024, 1, 1},
                                     {1024, 1, 2}, {1024, 2, 1}, {1024, 2, 2},
                                     {512, 1, 2},  {512, 1, 4},  {512, 2, 4},
                                     {512, 4, 1},  {512, 4, 2},  {256, 4, 2},
                                     {256, 4, 4},  {256, 8, 1},  {256, 8, 2}};
  auto Cover = [this, Same](unsigned Blocks, unsigned Tile) {
    return [=, this](uint64_t Bytes) {
      const uint64_t Vectors = std::min<uint64_t>(Bytes / 16, Memory.size());
      const Walk Once = Same ? sameForAll(Vectors, Blocks, Tile)
                             : slices(Vectors, Blocks, Tile);
      return repeated(Once, L2RunBytes);
    };
  };
  std::vector<Reader> All;
  for (const Shape &Each : Shapes) {
    const ReadKernel Kernel = readKernel<Fetch::L2>(Each.Unroll);
    All.push_back(
        {fmt::format("{}, {} blocks of {} threads per SM, {} loads in flight "
                     "per thread",
                     name(Fetch::L2), Each.BlocksPerSm, Each.Threads,
                     Each.Unroll),
         Cover(Each.BlocksPerSm * D.SmCount, Each.Threads * Each.Unroll),
         [=, this](const Walk &W) {
           Kernel<<<W.Blocks, Each.Threads>>>(Memory.get(), W, Counter.get(),
                                              Spans.get());
         }});
  }
  for (const Ring &Each : rings(D, S.quick())) {
    Each.allow(D, readBulk);
    All.push_back(
        {Each.name(), Cover(Each.BlocksPerSm * D.SmCount, Each.ChunkBytes / 16),
         [=, this](const Walk &W) {
           readBulk<<<W.Blocks, 32, Each.sharedBytes()>>>(
               Memory.get(), W, Each.Stages, Counter.get(), Spans.get());
         },
         Each.Stages});
  }
  return All;
}

inline std::vector<std::array<double, 2>>
Caches::sweep(const Reader &R, const std::vector<double> &Shares,
              std::vector<inference::Estimate> &Estimates) {
  std::vector<std::array<double, 2>> Points;
  for (double Share : Shares) {
    const Walk W = R.Cover(static_cast<uint64_t>(Share * double(D.L2Bytes)));
    if (W.Tiles < R.LeastTiles)
      continue;
    run(R, W);
    Estimates.push_back(inference::untilStable([&] { return run(R, W).Rate; },
                                               {.Least = 5, .Most = 15}));
    Points.push_back({double(W.footprint()), Estimates.back().Value});
  }
  return Points;
}

inline void Caches::l2() {
  const std::vector<Reader> All = l2Readers(false);
  const Winner Best =
      find(All, static_cast<uint64_t>(0.35 * double(D.L2Bytes)), "l2");
  const Reader &R = All[Best.Index];
  std::vector<double> Shares = {0.2, 0.35, 0.5, 0.65};
  if (!S.quick()) {
    const double Mebibyte = double(1 << 20) / double(D.L2Bytes);
    Shares = {4.5 * Mebibyte, 6 * Mebibyte};
    for (unsigned Percent = 15; Percent <= 150;
         Percent += Percent < 100 ? 5 : 10)
      Shares.push_back(Percent / 100.0);
    std::sort(Shares.begin(), Shares.end());
  }
  std::vector<inference::Estimate> Estimates;
  const auto Points = sweep(R, Shares, Estimates);
  // The plateau counts, not what a part beyond the near partition does.
  const double Last = 0.7 * double(D.L2Bytes);
  const inference::Estimate *Plateau = nullptr;
  for (size_t I = 0; I != Points.size(); ++I)
    if (Points[I][0] <= Last &&
        (!Plateau || Estimates[I].Value > Plateau->Value))
      Plateau = &Estimates[I];
  if (!Plateau)
    throw Skip("L2 is too small for a tile per block");
  const size_t Peak = static_cast<size_t>(Plateau - Estimates.data());
  S.measured(paths::levels_l2_bandwidth, "GB/s", *Plateau,
             fmt::format("16-byte reads that hit L2, a slice per block, best "
                         "footprint of {} ({:.1f} MiB), best of {} "
                         "configurations: {}",
                         Points.size(), Points[Peak][0] / (1 << 20),
                         Best.Scanned.size(), Best.Name));
  const auto [From, To] = inference::plateau(Points, Peak, 0.95);
  const char *Range = "footprints around the best one that reach 95 % of it";
  S.inferred(paths::levels_l2_bandwidth_plateau_from, "B", Points[From][0],
             Range);
  S.inferred(paths::levels_l2_bandwidth_plateau_to, "B", Points[To][0], Range);
  const Walk W = R.Cover(static_cast<uint64_t>(Points[Peak][0]));
  S.measured(paths::levels_l2_bytes_per_clock_sm, "B/clk",
             inference::untilStable([&] { return run(R, W).PerClock; }),
             "the same, median over the SMs by their own clocks");
  if (const std::optional<double> Mhz = S.value(paths::device_clock))
    S.check(paths::levels_l2_bytes_per_clock_sm,
            "bandwidth by events over device.clock and SMs",
            Plateau->Value * 1000 / (*Mhz * D.SmCount), 0.05);
  S.curve(paths::levels_l2_bandwidth_by_footprint, "footprint [B]",
          "bandwidth [GB/s]", Points,
          "reads past L1, a slice per block: " + Best.Name);
}

inline void Caches::l2SharedBuffer() {
  const std::vector<Reader> All = l2Readers(true);
  const Winner Best =
      find(All, static_cast<uint64_t>(0.2 * double(D.L2Bytes)), "l2_same");
  std::vector<double> Shares = {0.05, 0.1, 0.2, 0.3, 0.4, 0.5};
  if (!S.quick())
    Shares.insert(Shares.end(), {0.6, 0.7, 0.8, 0.9, 1.0});
  std::vector<inference::Estimate> Estimates;
  const auto Points = sweep(All[Best.Index], Shares, Estimates);
  inference::Estimate Most = Best.Rate;
  for (const inference::Estimate &Each : Estimates)
    if (Each.Value > Most.Value)
      Most = Each;
  S.measured(
      paths::levels_l2_bandwidth_shared_buffer, "GB/s", Most,
      "reads past L1, all SMs go over the same buffer, best footprint, " +
          Best.method());
  if (!Points.empty())
    S.curve(paths::levels_l2_bandwidth_shared_buffer_by_footprint,
            "footprint [B]", "bandwidth [GB/s]", Points,
            "reads past L1, all SMs go over the same buffer: " + Best.Name);
}

inline void Caches::l2Write() {
  struct Shape {
    unsigned Threads, BlocksPerSm, Unroll;
  };
  const std::vector<Shape> Shapes =
      S.quick() ? std::vector<Shape>{{512, 2, 4}, {1024, 2, 2}}
                : std::vector<Shape>{{512, 2, 4},  {1024, 2, 2}, {1024, 1, 4},
                                     {1024, 1, 1}, {512, 4, 2},  {256, 4, 4},
                                     {256, 8, 2},  {256, 2, 4},  {512, 1, 2}};
  const uint4 Value = make_uint4(1, 2, 4, 7); // xor to zero, as all data
  std::vector<Candidate> All;
  for (const Shape &Each : Shapes)
    for (double Share : {0.2, 0.35}) {
      const Walk W = repeated(
          slices(static_cast<uint64_t>(Share * double(D.L2Bytes)) / 16,
                 Each.BlocksPerSm * D.SmCount, Each.Threads * Each.Unroll),
          L2RunBytes);
      if (W.Tiles == 0)
        continue;
      const WriteKernel Kernel = writeKernel(Store::Default, Each.Unroll);
      All.push_back({fmt::format("{} blocks of {} threads per SM, {} stores in "
                                 "flight per thread, {:.1f} MiB",
                                 Each.BlocksPerSm, Each.Threads, Each.Unroll,
                                 Share * double(D.L2Bytes) / (1 << 20)),
                     [=, this] {
                       return gigabytesPerSecond(
                           16.0 * double(W.vectors()), queuedMilliseconds([&] {
                             Kernel<<<W.Blocks, Each.Threads>>>(Memory.get(), W,
                                                                Value);
                           }));
                     }});
    }
  if (All.empty())
    throw Skip("L2 is too small for a tile per block");
  const Winner Best = search(All, S.quick() ? 1 : 2, S.quick() ? 1 : 3);
  traceScan(S, "l2_write", Best);
  S.measured(paths::levels_l2_bandwidth_write, "GB/s", Best.Rate,
             "16-byte writes that stay in L2, a slice per block, " +
                 Best.method());
}

} // namespace memoryBandwidth
} // namespace warpwise::harness

#endif // WARPWISE_KERNELS_MEMORYBANDWIDTH_CACHES_CUH

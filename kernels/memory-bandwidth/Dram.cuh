//===- Dram.cuh - Bandwidth of DRAM: read, write, copy, triad ---*- C++ -*-===//

#ifndef WARPWISE_KERNELS_MEMORYBANDWIDTH_DRAM_CUH
#define WARPWISE_KERNELS_MEMORYBANDWIDTH_DRAM_CUH

#include "kernels/harness/Queued.h"
#include "kernels/harness/Search.h"
#include "kernels/memory-bandwidth/Bulk.cuh"
#include "kernels/memory-bandwidth/Streams.cuh"
#include "profiler/profile/Paths.h"

namespace warpwise::harness {
inline namespace memoryBandwidth {

/// How a stream is spread over the device.
struct Shape {
  unsigned Threads = 512;
  unsigned BlocksPerSm = 0; ///< 0: as many blocks as it takes for one pass
  unsigned Unroll = 4;
  bool Sliced = false; ///< a contiguous slice per block

  /// The walk over \p Count accesses.
  Walk walk(const Device &D, uint64_t Count) const {
    const unsigned Tile = Threads * Unroll;
    if (BlocksPerSm == 0)
      return gridStride(Count, static_cast<unsigned>(Count / Tile), Tile);
    const unsigned Blocks = BlocksPerSm * D.SmCount;
    return Sliced ? slices(Count, Blocks, Tile)
                  : gridStride(Count, Blocks, Tile);
  }
  std::string name() const {
    return fmt::format(
        "{} threads, {}, {} accesses in flight per thread", Threads,
        BlocksPerSm == 0 ? std::string("one tile per block")
                         : fmt::format("{} blocks per SM, {}", BlocksPerSm,
                                       Sliced ? "sliced" : "grid-stride"),
        Unroll);
  }
};

/// Blocks of \p Threads that an SM can hold of \p Kernel.
template <typename Function>
unsigned residentBlocks(Function Kernel, unsigned Threads) {
  int Blocks = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      &Blocks, Kernel, static_cast<int>(Threads), 0));
  return static_cast<unsigned>(Blocks);
}

/// The shapes to try; \p KernelFor gives the kernel for an unroll factor.
template <typename Function>
std::vector<Shape> streamShapes(bool Quick, Function KernelFor) {
  std::vector<Shape> Shapes;
  if (Quick) {
    for (unsigned Threads : {512u, 1024u}) {
      Shapes.push_back({Threads, 0, 4, false});
      Shapes.push_back(
          {Threads, residentBlocks(KernelFor(4), Threads), 4, false});
    }
    return Shapes;
  }
  for (unsigned Threads : {512u, 256u, 1024u})
    for (unsigned Unroll : {4u, 2u, 8u, 1u}) {
      const unsigned Full = residentBlocks(KernelFor(Unroll), Threads);
      Shapes.push_back({Threads, Full, Unroll, false});
      Shapes.push_back({Threads, 0, Unroll, false});
      if (Unroll == 1)
        continue;
      Shapes.push_back({Threads, Full, Unroll, true});
      if (Full > 1)
        Shapes.push_back({Threads, Full / 2, Unroll, false});
    }
  return Shapes;
}

/// Two arrays of at least 4 GiB or a quarter of the free memory each, and the
/// streams over them.
class Dram {
public:
  explicit Dram(Session &S);

  void read();
  void occupancy();
  void write();
  void copy();
  /// Leaves doubles where the others need vectors of even parity: the last.
  void triad();

private:
  using Candidates = std::vector<Candidate>;

  uint4 *first() const { return Memory.get(); }
  uint4 *second() const { return Memory.get() + Vectors; }
  double bytes() const { return 16.0 * double(Vectors); }
  unsigned mebibytes() const { return static_cast<unsigned>(Vectors >> 16); }

  void readByLoads(Candidates &All, Fetch How);
  void readWide(Candidates &All);
  void readByBulk(Candidates &All);
  void copyByBulk(Candidates &All);

  /// One run of \p Launch, which moves \p Bytes, in GB/s.
  static double rate(double Bytes, const std::function<void()> &Launch) {
    return gigabytesPerSecond(Bytes, queuedMilliseconds(Launch));
  }
  /// Adds a candidate for every shape of the stream over \p Count accesses.
  /// \p Launch gets the shape's kernel, walk and threads.
  template <typename KernelFor, typename Function>
  void addShapes(Candidates &All, const std::string &Prefix, KernelFor Kernels,
                 uint64_t Count, double BytesPerAccess, Function Launch) {
    for (const Shape &Each : streamShapes(S.quick(), Kernels)) {
      const Walk W = Each.walk(D, Count);
      const auto Kernel = Kernels(Each.Unroll);
      if (W.Tiles != 0)
        All.push_back({Prefix + Each.name(), [=, Threads = Each.Threads] {
                         return rate(BytesPerAccess * double(W.vectors()),
                                     [&] { Launch(Kernel, W, Threads); });
                       }});
    }
  }
  Winner find(const Candidates &All, const std::string &Trace) {
    S.Progress(Trace);
    const Winner W = search(All, S.quick() ? 1 : 2, S.quick() ? 1 : 3);
    traceScan(S, Trace, W);
    return W;
  }
  /// Median rate of a call of the runtime, as the second opinion.
  static double ofRuntime(double Bytes, const std::function<void()> &Call) {
    rate(Bytes, Call);
    return inference::untilStable([&] { return rate(Bytes, Call); },
                                  {.Least = 5, .Most = 15})
        .Value;
  }
  /// Throws when what reads and comparisons counted is not zero.
  void expectRight(const char *What) {
    if (Counter.download()[0] != 0)
      throw CudaFailure(fmt::format("{} moved wrong data", What));
  }
  /// Throws unless the first half of \p A is that of \p B, which for \p Pitch 0
  /// is one vector. Walks leave out less than that at the end.
  void expectEqual(const uint4 *A, const uint4 *B, unsigned Pitch,
                   uint64_t Count, const char *What) {
    countOther<<<D.SmCount * 8, 256>>>(A, B, Pitch, Count / 2, Counter.get());
    finish();
    expectRight(What);
  }

  Session &S;
  const Device &D;
  uint64_t Vectors; ///< of 16 bytes, in each of the two arrays
  Buffer<uint4> Memory;
  Buffer<unsigned> Counter;
};

inline Dram::Dram(Session &S) : S(S), D(S.device()), Counter(1) {
  const uint64_t Wanted = std::max<uint64_t>(4ull << 30, 8 * D.L2Bytes);
  const uint64_t Bytes = std::min(Wanted, D.FreeBytes / 4) >> 24 << 24;
  if (Bytes < 8 * D.L2Bytes || Bytes == 0)
    throw Skip(fmt::format("two arrays of eight times L2 do not fit in the {} "
                           "MiB of free memory",
                           D.FreeBytes >> 20));
  Vectors = Bytes / 16;
  Memory = Buffer<uint4>(2 * Vectors);
  Counter.zero();
  fillParity<<<D.SmCount * 8, 256>>>(first(), 2 * Vectors);
  finish();
}

inline void Dram::readByLoads(Candidates &All, Fetch How) {
  addShapes(
      All, fmt::format("{}, ", name(How)),
      [=](unsigned Unroll) { return readKernel(How, Unroll); }, Vectors, 16,
      [this](ReadKernel Kernel, const Walk &W, unsigned Threads) {
        Kernel<<<W.Blocks, Threads>>>(first(), W, Counter.get(), nullptr);
      });
}

inline void Dram::readWide(Candidates &All) {
  addShapes(All, fmt::format("{}, ", name(Fetch::Wide)), wideReadKernel,
            Vectors / 2, 32,
            [this](WideReadKernel Kernel, const Walk &W, unsigned Threads) {
              Kernel<<<W.Blocks, Threads>>>(
                  reinterpret_cast<const TwoVectors *>(first()), W,
                  Counter.get(), nullptr);
            });
}

inline void Dram::readByBulk(Candidates &All) {
  for (const Ring &Each : rings(D, S.quick())) {
    Each.allow(D, readBulk);
    const Walk W =
        gridStride(Vectors, Each.BlocksPerSm * D.SmCount, Each.ChunkBytes / 16);
    All.push_back({Each.name(), [=, this] {
                     return rate(16.0 * double(W.vectors()), [&] {
                       readBulk<<<W.Blocks, 32, Each.sharedBytes()>>>(
                           first(), W, Each.Stages, Counter.get(), nullptr);
                     });
                   }});
  }
}

inline void Dram::read() {
  Candidates Loads, Bulk;
  for (Fetch How : {Fetch::Prefetch, Fetch::Cached})
    readByLoads(Loads, How);
  if (compiledFor(wideReadKernel(1), 100))
    readWide(Loads);
  readByBulk(Bulk);
  const Winner ByLoads = find(Loads, "dram_read");
  const Winner ByBulk = Bulk.empty() ? Winner{} : find(Bulk, "dram_read_bulk");
  expectRight("reading DRAM");
  const bool BulkWins = ByBulk.Rate.Value > ByLoads.Rate.Value;
  const Winner &Best = BulkWins ? ByBulk : ByLoads;
  S.measured(paths::levels_dram_bandwidth_read, "GB/s", Best.Rate,
             fmt::format("reads of {} MiB, best of {} configurations: {}",
                         mebibytes(), Loads.size() + Bulk.size(), Best.Name));
  if (!Bulk.empty())
    S.check(paths::levels_dram_bandwidth_read,
            BulkWins ? "loads into registers, " + ByLoads.Name
                     : "bulk copies into shared memory, " + ByBulk.Name,
            BulkWins ? ByLoads.Rate.Value : ByBulk.Rate.Value, 0.05);
}

inline void Dram::occupancy() {
  constexpr unsigned Unroll = 2, Warp = 32;
  const ReadKernel Kernel = readKernel(Fetch::Prefetch, Unroll);
  std::vector<std::array<double, 2>> Points;
  for (unsigned Warps : {1u, 2u, 4u, 6u, 8u, 12u, 16u, 24u, 32u, 48u, 64u}) {
    const unsigned BlocksPerSm = Warps > 32 ? 2 : 1;
    const Shape Each{Warps * Warp / BlocksPerSm, BlocksPerSm, Unroll, false};
    if (residentBlocks(Kernel, Each.Threads) < BlocksPerSm)
      break;
    // A quarter is enough and spares time where few warps are slow.
    const Walk W = Each.walk(D, Vectors / 4);
    const inference::Estimate E = inference::untilStable(
        [&] {
          return rate(16.0 * double(W.vectors()), [&] {
            Kernel<<<W.Blocks, Each.Threads>>>(first(), W, Counter.get(),
                                               nullptr);
          });
        },
        {.Least = 3, .Most = 9});
    Points.push_back({double(Warps), E.Value});
  }
  S.curve(paths::levels_dram_bandwidth_by_occupancy, "resident warps per SM",
          "bandwidth [GB/s]", std::move(Points),
          fmt::format("16-byte reads, {} in flight per thread, grid-stride",
                      Unroll));
}

inline void Dram::write() {
  const uint4 Value =
      make_uint4(0x12345678, 0x9abcdef0, 0x0fedcba9, 0x87654321);
  Candidates All;
  for (Store How : {Store::Default, Store::Streaming})
    addShapes(
        All, fmt::format("{}, ", name(How)),
        [=](unsigned Unroll) { return writeKernel(How, Unroll); }, Vectors, 16,
        [=, this](WriteKernel Kernel, const Walk &W, unsigned Threads) {
          Kernel<<<W.Blocks, Threads>>>(second(), W, Value);
        });
  const Winner Best = find(All, "dram_write");
  check(cudaMemset(second(), 0, 16 * Vectors));
  All[Best.Index].Rate();
  const Buffer<uint4> Expected(std::span<const uint4>(&Value, 1));
  expectEqual(second(), Expected.get(), 0, Vectors, "writing DRAM");
  S.measured(paths::levels_dram_bandwidth_write, "GB/s", Best.Rate,
             fmt::format("writes of {} MiB, {}", mebibytes(), Best.method()));
  S.check(paths::levels_dram_bandwidth_write, "cudaMemset",
          ofRuntime(bytes(),
                    [&] { check(cudaMemsetAsync(second(), 1, 16 * Vectors)); }),
          0.05);
}

inline void Dram::copyByBulk(Candidates &All) {
  constexpr unsigned Stages = 8;
  for (const Ring &Each : {Ring{1, Stages, 16384}, Ring{2, Stages, 8192},
                           Ring{3, Stages, 8192}, Ring{4, Stages, 4096}}) {
    if (!compiledFor(copyBulk<Stages>, 90) || !Each.fits(D))
      continue;
    Each.allow(D, copyBulk<Stages>);
    const Walk W =
        gridStride(Vectors, Each.BlocksPerSm * D.SmCount, Each.ChunkBytes / 16);
    All.push_back({Each.name(), [=, this] {
                     return rate(32.0 * double(W.vectors()), [&] {
                       copyBulk<Stages><<<W.Blocks, 32, Each.sharedBytes()>>>(
                           first(), second(), W);
                     });
                   }});
  }
}

inline void Dram::copy() {
  Candidates All;
  for (Fetch From : {Fetch::Prefetch, Fetch::Cached})
    for (Store To : {Store::Default, Store::Streaming})
      addShapes(
          All, fmt::format("{}, {}, ", name(From), name(To)),
          [=](unsigned Unroll) { return copyKernel(From, To, Unroll); },
          Vectors, 32,
          [this](CopyKernel Kernel, const Walk &W, unsigned Threads) {
            Kernel<<<W.Blocks, Threads>>>(first(), second(), W);
          });
  copyByBulk(All);
  const Winner Best = find(All, "dram_copy");
  check(cudaMemset(second(), 0, 16 * Vectors));
  All[Best.Index].Rate();
  expectEqual(second(), first(), 1, Vectors, "copying DRAM");
  S.measured(paths::levels_dram_bandwidth_copy, "GB/s", Best.Rate,
             fmt::format("copies of {} MiB, read and written, {}", mebibytes(),
                         Best.method()));
  S.check(paths::levels_dram_bandwidth_copy, "cudaMemcpy within the device",
          ofRuntime(2 * bytes(),
                    [&] {
                      check(cudaMemcpyAsync(second(), first(), 16 * Vectors,
                                            cudaMemcpyDeviceToDevice));
                    }),
          0.05);
}

inline void Dram::triad() {
  const uint64_t Count = 2 * Vectors / 3 >> 16 << 16;
  auto *A = reinterpret_cast<double2 *>(first());
  // Doubles by their high halves: 1.5 + 2 * 0.25 = 2 is exact.
  auto Set = [&](double2 *At, uint32_t High) {
    const Shape Form{.Threads = 1024, .Unroll = 1};
    const Walk W = Form.walk(D, Count);
    const WriteKernel Kernel = writeKernel(Store::Default, Form.Unroll);
    Kernel<<<W.Blocks, Form.Threads>>>(reinterpret_cast<uint4 *>(At), W,
                                       make_uint4(0, High, 0, High));
  };
  Set(A, 0);
  Set(A + Count, 0x3ff80000);
  Set(A + 2 * Count, 0x3fd00000);
  Candidates All;
  addShapes(All, "", triadKernel, Count, 48,
            [=](TriadKernel Kernel, const Walk &W, unsigned Threads) {
              Kernel<<<W.Blocks, Threads>>>(A, A + Count, A + 2 * Count, 2.0,
                                            W);
            });
  const Winner Best = find(All, "dram_triad");
  const uint4 Two = make_uint4(0, 0x40000000, 0, 0x40000000);
  const Buffer<uint4> Expected(std::span<const uint4>(&Two, 1));
  expectEqual(first(), Expected.get(), 0, Count, "the triad");
  S.measured(paths::levels_dram_bandwidth_triad, "GB/s", Best.Rate,
             fmt::format("a = b + scalar * c on doubles as in BabelStream, "
                         "three arrays of {} MiB, {}",
                         Count >> 16, Best.method()));
}

} // namespace memoryBandwidth
} // namespace warpwise::harness

#endif // WARPWISE_KERNELS_MEMORYBANDWIDTH_DRAM_CUH

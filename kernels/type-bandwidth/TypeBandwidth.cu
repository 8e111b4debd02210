//===- TypeBandwidth.cu - Copying by element type -------------------------===//
//
// Fang's Table 4: how fast an array is copied when each access is one element
// of a type. An access is never wider than the type: a thread's elements lie a
// whole block apart, so the compiler has nothing to join.
//
//===----------------------------------------------------------------------===//

#include "kernels/harness/Benchmark.h"
#include "kernels/harness/Cuda.h"
#include "kernels/harness/Queued.h"
#include "kernels/harness/Search.h"
#include "profiler/profile/Paths.h"

#include <cuda_fp16.h>

#include <bit>
#include <map>

namespace warpwise::harness {
namespace {

constexpr unsigned MostThreads = 1024, MostUnroll = 8;

/// Fang's kernel: one element per thread.
template <typename T>
__global__ void copyElements(const T *In, T *Out, unsigned Count) {
  const unsigned I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < Count)
    Out[I] = In[I];
}

/// \p Unroll elements per thread in flight, over tiles of a block. \p Count is
/// a multiple of the tile. The launch bounds let ptxas have the registers for
/// that.
template <typename T, unsigned Unroll>
__global__ void __launch_bounds__(MostThreads, 1)
    copyTiles(const T *In, T *Out, unsigned Count) {
  const unsigned Tile = Unroll * blockDim.x;
#pragma unroll 1
  for (unsigned At = blockIdx.x * Tile + threadIdx.x; At < Count;
       At += gridDim.x * Tile) {
    T Values[Unroll];
#pragma unroll
    for (unsigned K = 0; K != Unroll; ++K)
      Values[K] = In[At + K * blockDim.x];
#pragma unroll
    for (unsigned K = 0; K != Unroll; ++K)
      Out[At + K * blockDim.x] = Values[K];
  }
}

__global__ void fillMixed(uint32_t *Memory, unsigned Words) {
  for (unsigned I = blockIdx.x * blockDim.x + threadIdx.x; I < Words;
       I += gridDim.x * blockDim.x)
    Memory[I] = (I + 1) * 2654435761u ^ I >> 7;
}

__global__ void countDifferent(const uint32_t *A, const uint32_t *B,
                               unsigned Words, unsigned *Different) {
  unsigned Mine = 0;
  for (unsigned I = blockIdx.x * blockDim.x + threadIdx.x; I < Words;
       I += gridDim.x * blockDim.x)
    Mine += A[I] != B[I];
  if (Mine)
    atomicAdd(Different, Mine);
}

/// Two arrays and what is done with all types.
struct Arrays {
  explicit Arrays(Session &S, uint64_t Bytes)
      : S(S), Bytes(Bytes), In(Bytes / 4), Out(Bytes / 4), Different(1) {
    fillMixed<<<S.device().SmCount * 8, 256>>>(In.get(), words());
    finish();
  }
  unsigned words() const { return static_cast<unsigned>(Bytes / 4); }
  /// GB/s, read and written, of one \p Copy of all of In to Out.
  double rate(const std::function<void()> &Copy) const {
    return gigabytesPerSecond(2.0 * double(Bytes), queuedMilliseconds(Copy));
  }
  /// Throws unless \p Copy copies everything.
  void verify(const std::function<void()> &Copy, std::string_view Type) {
    Out.zero();
    Different.zero();
    Copy();
    countDifferent<<<S.device().SmCount * 8, 256>>>(In.get(), Out.get(),
                                                    words(), Different.get());
    finish();
    if (Different.download()[0] != 0)
      throw CudaFailure(fmt::format("the copy of {} elements is wrong", Type));
  }

  Session &S;
  uint64_t Bytes;
  Buffer<uint32_t> In, Out;
  Buffer<unsigned> Different;
};

/// One launch shape of a copy of T elements.
template <typename T> struct Shape {
  using Kernel = void (*)(const T *, T *, unsigned);
  Kernel Copy = nullptr;
  unsigned Threads = 0, Unroll = 1;
  unsigned BlocksPerSm = 0; ///< 0: as many blocks as it takes for one pass

  std::string name() const {
    std::string Text = fmt::format("{} threads", Threads);
    if (BlocksPerSm)
      Text += fmt::format(", {} blocks per SM, grid-stride", BlocksPerSm);
    return Unroll == 1 && !BlocksPerSm
               ? Text + ", one element per thread"
               : fmt::format("{}, {} element{} in flight per thread", Text,
                             Unroll, Unroll == 1 ? "" : "s");
  }
  void launch(const Arrays &A) const {
    const auto Count = static_cast<unsigned>(A.Bytes / sizeof(T));
    const unsigned Blocks = BlocksPerSm ? BlocksPerSm * A.S.device().SmCount
                                        : Count / (Threads * Unroll);
    Copy<<<Blocks, Threads>>>(reinterpret_cast<const T *>(A.In.get()),
                              reinterpret_cast<T *>(A.Out.get()), Count);
  }
};

std::vector<unsigned> threadCounts(bool Quick) {
  if (Quick)
    return {256, 1024};
  return {256, 512, 1024, 128, 64, 32};
}

template <typename T> std::vector<Shape<T>> plainShapes(bool Quick) {
  std::vector<Shape<T>> Shapes;
  for (unsigned Threads : threadCounts(Quick))
    Shapes.push_back({.Copy = copyElements<T>, .Threads = Threads});
  return Shapes;
}

template <typename T> std::vector<Shape<T>> tiledShapes(bool Quick) {
  constexpr std::pair<unsigned, typename Shape<T>::Kernel> Unrolled[] = {
      {4, copyTiles<T, 4>},
      {MostUnroll, copyTiles<T, MostUnroll>},
      {2, copyTiles<T, 2>},
      {1, copyTiles<T, 1>}};
  std::vector<Shape<T>> Shapes;
  for (unsigned Threads : threadCounts(Quick))
    for (const auto &[Unroll, Copy] : Unrolled) {
      if (Quick && Unroll < 4)
        continue;
      Shape<T> Each{.Copy = Copy, .Threads = Threads, .Unroll = Unroll};
      if (Unroll > 1)
        Shapes.push_back(Each);
      int Resident = 0;
      check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
          &Resident, Copy, static_cast<int>(Threads), 0));
      for (unsigned Waves : {1u, 4u}) {
        if (Quick && Waves > 1)
          continue;
        Each.BlocksPerSm = static_cast<unsigned>(Resident) * Waves;
        Shapes.push_back(Each);
      }
    }
  return Shapes;
}

template <typename T>
Winner searchShapes(Arrays &A, const std::vector<Shape<T>> &Shapes,
                    const std::string &Type) {
  std::vector<Candidate> All;
  for (const Shape<T> &Each : Shapes)
    All.push_back(
        {Each.name(), [&] { return A.rate([&] { Each.launch(A); }); }});
  Winner Best = search(All, A.S.quick() ? 1 : 2, A.S.quick() ? 1 : 3);
  A.verify([&] { Shapes[Best.Index].launch(A); }, Type);
  return Best;
}

template <typename T> void measureType(Arrays &A, const std::string &Type) {
  Session &S = A.S;
  S.Progress(Type);
  const std::vector<Shape<T>> Plain = plainShapes<T>(S.quick());
  const std::vector<Shape<T>> Tiled = tiledShapes<T>(S.quick());
  const Winner BestPlain = searchShapes(A, Plain, Type);
  const Winner BestTiled = searchShapes(A, Tiled, Type);
  S.measured("bandwidth.plain." + Type, "GB/s", BestPlain.Rate,
             "one element per thread, read and written, " + BestPlain.method());
  const bool PlainWins = BestPlain.Rate.Value >= BestTiled.Rate.Value;
  const Winner &Best = PlainWins ? BestPlain : BestTiled;
  S.measured("bandwidth." + Type, "GB/s", Best.Rate,
             fmt::format("copy with one {} per access, read and written, best "
                         "of {} configurations: {}",
                         Type, Plain.size() + Tiled.size(), Best.Name));
  traceScan(S, Type + "_plain", BestPlain);
  traceScan(S, Type, BestTiled);

  std::map<unsigned, double> ByThreads;
  auto Take = [&](const std::vector<Shape<T>> &Shapes, const Winner &W) {
    for (size_t I = 0; I != Shapes.size(); ++I) {
      double &Most = ByThreads[Shapes[I].Threads];
      Most = std::max(Most, W.Scanned[I]);
    }
  };
  Take(Plain, BestPlain);
  Take(Tiled, BestTiled);
  std::vector<std::array<double, 2>> Points;
  for (const auto &[Threads, Most] : ByThreads)
    Points.push_back({double(Threads), Most});
  S.curve("bandwidth.by_threads." + Type, "threads per block",
          "bandwidth [GB/s]", std::move(Points),
          "best of the searched configurations with this block size");
}

void run(Session &S) {
  const Device &D = S.device();
  // A size that all tiles divide; element numbers have to fit in 31 bits.
  const uint64_t Bytes =
      std::bit_floor(std::min({std::max<uint64_t>(1ull << 30, 8 * D.L2Bytes),
                               D.FreeBytes / 4, uint64_t(1) << 31}));
  static_assert(std::has_single_bit(MostThreads * MostUnroll));
  if (Bytes < 8 * D.L2Bytes ||
      Bytes < sizeof(float4) * MostThreads * MostUnroll)
    throw Skip(fmt::format("two arrays of eight times L2 do not fit in the {} "
                           "MiB of free memory",
                           D.FreeBytes >> 20));
  Arrays A(S, Bytes);
  measureType<float>(A, "float");
  measureType<char>(A, "char");
  measureType<char4>(A, "char4");
  measureType<short>(A, "short");
  measureType<half2>(A, "half2");
  measureType<int>(A, "int");
  measureType<double>(A, "double");
  measureType<float2>(A, "float2");
  measureType<float4>(A, "float4");

  auto Copy = [&] {
    check(cudaMemcpyAsync(A.Out.get(), A.In.get(), Bytes,
                          cudaMemcpyDeviceToDevice));
  };
  A.rate(Copy);
  const inference::Estimate Memcpy =
      inference::untilStable([&] { return A.rate(Copy); });
  A.verify(Copy, "cudaMemcpy's");
  S.measured(paths::bandwidth_memcpy, "GB/s", Memcpy,
             fmt::format("cudaMemcpyAsync of {} MiB within the device, read "
                         "and written",
                         Bytes >> 20));
  S.check(paths::bandwidth_float4, "cudaMemcpy within the device", Memcpy.Value,
          0.05);
}

const Registration Registered({
    .Name = "type-bandwidth",
    .Measures = "copy bandwidth by element type",
    .When = Stage::Bandwidth,
    .Quick = true,
    .Provides = {{paths::bandwidth_char, "GB/s"},
                 {paths::bandwidth_char4, "GB/s"},
                 {paths::bandwidth_short, "GB/s"},
                 {paths::bandwidth_half2, "GB/s"},
                 {paths::bandwidth_int, "GB/s"},
                 {paths::bandwidth_float, "GB/s"},
                 {paths::bandwidth_double, "GB/s"},
                 {paths::bandwidth_float2, "GB/s"},
                 {paths::bandwidth_float4, "GB/s"},
                 {paths::bandwidth_memcpy, "GB/s"},
                 {paths::bandwidth_plain_char, "GB/s"},
                 {paths::bandwidth_plain_char4, "GB/s"},
                 {paths::bandwidth_plain_short, "GB/s"},
                 {paths::bandwidth_plain_half2, "GB/s"},
                 {paths::bandwidth_plain_int, "GB/s"},
                 {paths::bandwidth_plain_float, "GB/s"},
                 {paths::bandwidth_plain_double, "GB/s"},
                 {paths::bandwidth_plain_float2, "GB/s"},
                 {paths::bandwidth_plain_float4, "GB/s"}},
    .Run = run,
});

} // namespace
} // namespace warpwise::harness

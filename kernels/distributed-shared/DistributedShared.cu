//===- DistributedShared.cu - Shared memory of the neighbour block --------===//
//
// Blocks of a cluster read each other's shared memory: latency for every size
// of cluster, the cost of the cluster's barrier, and bandwidth.
//
//===----------------------------------------------------------------------===//

#include "kernels/harness/Benchmark.h"
#include "kernels/harness/Cuda.h"
#include "kernels/harness/Timing.cuh"
#include "profiler/profile/Paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace warpwise::harness {
namespace {

using inference::Estimate;
using Points = std::vector<std::array<double, 2>>;

constexpr unsigned RingWords = 1024; ///< 8 KB of every block
constexpr unsigned LargestPortable = 8;

// Clusters exist since sm_90; on older devices the host does not launch what
// uses them.

__device__ __forceinline__ unsigned rankInCluster() {
  unsigned Rank = 0;
#if __CUDA_ARCH__ >= 900
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(Rank));
#endif
  return Rank;
}

/// All threads of the cluster meet, and see what was written before.
__device__ __forceinline__ void meet() {
#if __CUDA_ARCH__ >= 900
  asm volatile("barrier.cluster.arrive.aligned;\n"
               "barrier.cluster.wait.aligned;" ::
                   : "memory");
#endif
}

/// The generic address of \p Own, which is in this block's shared memory, in
/// that of the block \p Rank.
template <typename T>
__device__ __forceinline__ uint64_t addressIn(unsigned Rank, const T *Own) {
  auto There = reinterpret_cast<uint64_t>(Own);
#if __CUDA_ARCH__ >= 900
  asm volatile("mapa.u64 %0, %1, %2;" : "=l"(There) : "l"(Own), "r"(Rank));
#endif
  return There;
}

// ptxas has only a generic load for shared memory of other blocks. A 64-bit
// generic pointer is what that takes; from a 32-bit ld.shared::cluster it makes
// two moves in front of every load.

__device__ __forceinline__ uint64_t follow(uint64_t At) {
  asm volatile("ld.u64 %0, [%0];" : "+l"(At));
  return At;
}

__device__ __forceinline__ uint4 loadQuad(uint64_t At) {
  uint4 Value;
  asm volatile("ld.volatile.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(Value.x), "=r"(Value.y), "=r"(Value.z), "=r"(Value.w)
               : "l"(At));
  return Value;
}

constexpr unsigned Unroll = 32;

/// Every block holds the ring \p Next (indices of words) as addresses of its
/// own memory that the whole cluster can use. The first thread of block 0 walks
/// that of block \p Owner. Out[0]: cycles of the second of two walks; Out[1]:
/// the word at which it ended.
__global__ void chase(const uint32_t *Next, unsigned Owner, unsigned Steps,
                      uint64_t *Out) {
  __shared__ uint64_t Words[RingWords];
  const uint64_t Here = addressIn(rankInCluster(), Words);
  for (unsigned I = threadIdx.x; I < RingWords; I += blockDim.x)
    Words[I] = Here + 8 * Next[I];
  meet();
  if (rankInCluster() == 0 && threadIdx.x == 0) {
    const uint64_t From = addressIn(Owner, Words);
    uint64_t At = From;
    uint64_t Cycles = 0;
#pragma unroll 1
    for (unsigned Pass = 0; Pass < 2; ++Pass) {
      At = From;
      const uint64_t Begin = clock64Now();
#pragma unroll 1
      for (unsigned I = 0; I < Steps; I += Unroll) {
#pragma unroll
        for (unsigned J = 0; J < Unroll; ++J)
          At = follow(At);
      }
      consume(uint32_t(At));
      Cycles = clock64Now() - Begin;
    }
    Out[0] = Cycles;
    Out[1] = (At - From) / 8;
  }
  // No block may leave while its memory is read.
  __syncwarp();
  meet();
}

/// Cycles of \p Times barriers of the cluster, in one warp of every block.
__global__ void meetOften(unsigned Times, uint64_t *Out) {
  for (unsigned I = 0; I < 8; ++I)
    meet();
  const uint64_t Begin = clock64Now();
#pragma unroll 1
  for (unsigned I = 0; I < Times; ++I)
    meet();
  const uint64_t End = clock64Now();
  if (blockIdx.x == 0 && threadIdx.x == 0)
    Out[0] = End - Begin;
}

constexpr unsigned Threads = 1024;
constexpr unsigned Units = 2048; ///< 32 KB of every block
constexpr unsigned LoadsAtOnce = 4;

/// Every block reads the memory of the next in the cluster, 16 bytes at a time,
/// \p Rounds times. Unit I of block B holds B + I; \p Wrong counts threads
/// whose sum of all is not the right one.
__global__ void __launch_bounds__(Threads)
    readNext(unsigned ClusterSize, unsigned Rounds, unsigned *Wrong) {
  __shared__ uint4 Held[Units];
  const unsigned Rank = rankInCluster();
  const unsigned First = blockIdx.x - Rank;
  for (unsigned I = threadIdx.x; I < Units; I += Threads)
    Held[I] = make_uint4(blockIdx.x + I, 0, 0, blockIdx.x + I);
  meet();
  const unsigned Neighbour = (Rank + 1) % ClusterSize;
  const uint64_t There = addressIn(Neighbour, Held);
  uint32_t Sum = 0, Expected = 0;
  for (unsigned I = 0; I < Rounds; ++I) {
    uint4 Unit[LoadsAtOnce];
#pragma unroll
    for (unsigned J = 0; J < LoadsAtOnce; ++J) {
      const unsigned At =
          (threadIdx.x + (I * LoadsAtOnce + J) * Threads) % Units;
      Unit[J] = loadQuad(There + At * sizeof(uint4));
      Expected += 2 * (First + Neighbour + At);
    }
#pragma unroll
    for (unsigned J = 0; J < LoadsAtOnce; ++J)
      Sum += Unit[J].x + Unit[J].w;
  }
  meet();
  if (Sum != Expected)
    atomicAdd(Wrong, 1);
}

/// A launch of \p Blocks blocks in clusters of \p Size.
struct ClusterLaunch {
  ClusterLaunch(unsigned Blocks, unsigned Threads, unsigned Size) {
    Attribute.id = cudaLaunchAttributeClusterDimension;
    Attribute.val.clusterDim.x = Size;
    Attribute.val.clusterDim.y = 1;
    Attribute.val.clusterDim.z = 1;
    Config.gridDim = Blocks;
    Config.blockDim = Threads;
    Config.attrs = &Attribute;
    Config.numAttrs = 1;
  }
  ClusterLaunch(const ClusterLaunch &) = delete;
  ClusterLaunch &operator=(const ClusterLaunch &) = delete;

  cudaLaunchAttribute Attribute = {};
  cudaLaunchConfig_t Config = {};
};

/// Clusters of \p Size that run at a time; 0 when the device has no such.
template <typename Kernel>
unsigned clustersAtOnce(Kernel *K, unsigned Threads, unsigned Size) {
  if (Size > LargestPortable)
    check(cudaFuncSetAttribute(
        K, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
  ClusterLaunch L(Size, Threads, Size);
  int Clusters = 0;
  if (cudaOccupancyMaxActiveClusters(&Clusters, K, &L.Config) != cudaSuccess) {
    cudaGetLastError();
    return 0;
  }
  return unsigned(Clusters);
}

class DistributedShared {
public:
  explicit DistributedShared(Session &S);
  void measure(unsigned Size);

private:
  double stepFrom(unsigned Size, unsigned Owner);
  void latency(unsigned Size);
  void barrier(unsigned Size);
  void bandwidth(unsigned Size);

  Session &S;
  std::vector<uint32_t> Order;
  Buffer<uint32_t> Next{RingWords};
  Buffer<uint64_t> Out{2};
  Buffer<unsigned> Wrong{1};
};

DistributedShared::DistributedShared(Session &S) : S(S), Order(RingWords) {
  std::iota(Order.begin(), Order.end(), 0);
  // The walk begins at word 0.
  std::shuffle(Order.begin() + 1, Order.end(), S.random());
  std::vector<uint32_t> Follower(RingWords);
  for (unsigned I = 0; I != RingWords; ++I)
    Follower[Order[I]] = Order[(I + 1) % RingWords];
  Next.upload(Follower);
}

double DistributedShared::stepFrom(unsigned Size, unsigned Owner) {
  constexpr unsigned Steps = 4096;
  ClusterLaunch L(Size, 32, Size);
  check(cudaLaunchKernelEx(&L.Config, chase,
                           static_cast<const uint32_t *>(Next.get()), Owner,
                           Steps, Out.get()));
  finish();
  const std::vector<uint64_t> Result = Out.download();
  if (Result[1] != Order[Steps % RingWords])
    throw CudaFailure("a chase through distributed shared memory did not end "
                      "where its ring leads");
  return double(Result[0]) / Steps;
}

void DistributedShared::latency(unsigned Size) {
  const std::string Path =
      fmt::format("hopper.distributed_shared.latency_cs{}", Size);
  const Estimate E = inference::untilStable([&] {
    double Sum = 0;
    for (unsigned Owner = 1; Owner != Size; ++Owner)
      Sum += stepFrom(Size, Owner);
    return Sum / (Size - 1);
  });
  S.measured(Path, "clk", E,
             fmt::format("pointer chase of block 0 through 8 KB of every "
                         "other block of a cluster of {}, mean over them",
                         Size));
  Points ByRank;
  for (unsigned Owner = 0; Owner != Size; ++Owner)
    ByRank.push_back({double(Owner), stepFrom(Size, Owner)});
  S.curve(fmt::format("hopper.distributed_shared.latency_cs{}_by_rank", Size),
          "rank of the owner", "latency [clk]", std::move(ByRank),
          "pointer chase from block 0; rank 0 is its own memory through "
          "the same generic load");
}

void DistributedShared::barrier(unsigned Size) {
  constexpr unsigned Times = 1024;
  const Estimate E = inference::untilStable([&] {
    ClusterLaunch L(Size, 32, Size);
    check(cudaLaunchKernelEx(&L.Config, meetOften, Times, Out.get()));
    finish();
    return double(Out.download()[0]) / Times;
  });
  S.measured(fmt::format("hopper.cluster_barrier.latency_cs{}", Size), "clk", E,
             fmt::format("barrier.cluster.arrive and wait of {} blocks of one "
                         "warp, mean of {} in a row",
                         Size, Times));
}

void DistributedShared::bandwidth(unsigned Size) {
  constexpr unsigned Rounds = 1024;
  const unsigned Blocks = clustersAtOnce(readNext, Threads, Size) * Size;
  if (Blocks == 0)
    throw Skip(fmt::format("no cluster of {} blocks of {} threads fits", Size,
                           Threads));
  const double Bytes =
      double(Blocks) * Rounds * LoadsAtOnce * Threads * sizeof(uint4);
  Wrong.zero();
  double Best = 0;
  for (unsigned Try = 0; Try != 3; ++Try) {
    ClusterLaunch L(Blocks, Threads, Size);
    const double Time = milliseconds([&] {
      check(cudaLaunchKernelEx(&L.Config, readNext, Size, Rounds, Wrong.get()));
    });
    Best = std::max(Best, Bytes / Time / 1e6);
  }
  if (Wrong.download()[0] != 0)
    throw CudaFailure("distributed shared memory gave wrong data");
  S.exact(fmt::format("hopper.distributed_shared.bandwidth_cs{}", Size), "GB/s",
          Best,
          fmt::format("{} blocks of {} threads in clusters of {}, each block "
                      "reads its neighbour's 32 KB by 16-byte loads",
                      Blocks, Threads, Size),
          3);
}

void DistributedShared::measure(unsigned Size) {
  if (clustersAtOnce(chase, 32, Size) == 0 ||
      clustersAtOnce(meetOften, 32, Size) == 0) {
    const std::string Why =
        fmt::format("this device runs no cluster of {} blocks", Size);
    for (const char *What :
         {"distributed_shared.latency", "cluster_barrier.latency"})
      S.notMeasurable(fmt::format("hopper.{}_cs{}", What, Size), "clk", Why);
    S.notMeasurable(
        fmt::format("hopper.distributed_shared.bandwidth_cs{}", Size), "GB/s",
        Why);
    return;
  }
  latency(Size);
  barrier(Size);
  bandwidth(Size);
}

void run(Session &S) {
  if (S.device().Major < 9)
    throw Skip(fmt::format("clusters exist since sm_90; this is {}",
                           S.device().architecture()));
  DistributedShared Measure(S);
  for (unsigned Size : {2u, 4u, 8u, 16u})
    Measure.measure(Size);
  // The largest that every device with clusters runs.
  S.alias(paths::hopper_cluster_barrier_latency,
          fmt::format("hopper.cluster_barrier.latency_cs{}", LargestPortable));
}

const Registration Registered({
    .Name = "distributed-shared",
    .Measures = "shared memory of other blocks of a cluster, and its barrier",
    .When = Stage::Bandwidth,
    .Provides = {{paths::hopper_distributed_shared_latency_cs2, "clk"},
                 {paths::hopper_distributed_shared_latency_cs4, "clk"},
                 {paths::hopper_distributed_shared_latency_cs8, "clk"},
                 {paths::hopper_distributed_shared_latency_cs16, "clk"},
                 {paths::hopper_distributed_shared_bandwidth_cs2, "GB/s"},
                 {paths::hopper_distributed_shared_bandwidth_cs4, "GB/s"},
                 {paths::hopper_distributed_shared_bandwidth_cs8, "GB/s"},
                 {paths::hopper_distributed_shared_bandwidth_cs16, "GB/s"},
                 {paths::hopper_cluster_barrier_latency, "clk"},
                 {paths::hopper_cluster_barrier_latency_cs2, "clk"},
                 {paths::hopper_cluster_barrier_latency_cs4, "clk"},
                 {paths::hopper_cluster_barrier_latency_cs8, "clk"},
                 {paths::hopper_cluster_barrier_latency_cs16, "clk"}},
    .Run = run,
});

} // namespace
} // namespace warpwise::harness

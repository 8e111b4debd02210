//===- AsyncCopy.cu - cp.async from global to shared memory ---------------===//
//
// A copy that goes past the registers: how long one takes and how many bytes
// per second all SMs move with it, beside plain loads.
//
//===----------------------------------------------------------------------===//

#include "kernels/harness/Benchmark.h"
#include "kernels/harness/Cuda.h"
#include "kernels/harness/PointerRing.cuh"
#include "kernels/harness/Timing.cuh"
#include "profiler/profile/Paths.h"

#include <fmt/format.h>

namespace warpwise::harness {
namespace {

using inference::Estimate;

enum class Way {
  ThroughL1, ///< cp.async.ca: 4, 8 or 16 bytes
  PastL1,    ///< cp.async.cg: 16 bytes, L1 keeps nothing
  Loads      ///< ld.global.cg of 16 bytes into registers, for comparison
};

/// Starts a copy of \p Bytes; the instruction exists since sm_80.
template <Way By, unsigned Bytes>
__device__ __forceinline__ void startCopy(uint32_t To, uint64_t From) {
#if __CUDA_ARCH__ >= 800
  if constexpr (By == Way::PastL1)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(To),
                 "l"(From)
                 : "memory");
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(To),
                 "l"(From), "n"(Bytes)
                 : "memory");
#endif
}

__device__ __forceinline__ void closeGroup() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

/// Waits until at most \p Pending of this thread's groups are on their way.
template <unsigned Pending> __device__ __forceinline__ void waitForGroups() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group %0;" ::"n"(Pending) : "memory");
#endif
}

/// One thread: copy, wait, read the next address from shared memory.
template <Way By, unsigned Bytes>
__device__ __forceinline__ uint64_t step(uint64_t At, uint32_t Slot) {
  startCopy<By, Bytes>(Slot, At);
  closeGroup();
  waitForGroups<0>();
  uint32_t Low, High = uint32_t(At >> 32);
  if constexpr (Bytes == 4) // the upper half stays as it is
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(Low) : "r"(Slot) : "memory");
  else
    asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];"
                 : "=r"(Low), "=r"(High)
                 : "r"(Slot)
                 : "memory");
  return uint64_t(High) << 32 | Low;
}

constexpr unsigned Unroll = 16;

/// Out[0]: cycles of the second of two walks of \p Steps; Out[1]: its end.
template <Way By, unsigned Bytes>
__global__ void chase(uint64_t From, unsigned Steps, uint64_t *Out) {
  __shared__ uint4 Slots[1];
  const auto Slot = uint32_t(__cvta_generic_to_shared(Slots));
  uint64_t At = 0, Cycles = 0;
#pragma unroll 1
  for (unsigned Pass = 0; Pass < 2; ++Pass) {
    At = From + threadIdx.x;
    const uint64_t Begin = clock64Now();
#pragma unroll 1
    for (unsigned I = 0; I < Steps; I += Unroll) {
#pragma unroll
      for (unsigned J = 0; J < Unroll; ++J)
        At = step<By, Bytes>(At, Slot);
    }
    consume(uint32_t(At));
    Cycles = clock64Now() - Begin;
  }
  Out[0] = Cycles;
  Out[1] = At;
}

constexpr unsigned Threads = 1024;

/// Every block walks \p Rounds times over its own \p Lines of Threads x
/// \p Bytes, with \p Stages of them on their way. A unit of 16 bytes holds its
/// number four times; \p Wrong counts what did not arrive.
template <Way By, unsigned Stages, unsigned Bytes>
__global__ void __launch_bounds__(Threads)
    moveAll(const uint4 *Memory, unsigned Lines, unsigned Rounds,
            unsigned *Wrong) {
  extern __shared__ uint4 Slots[];
  const unsigned First = blockIdx.x * Lines * Threads + threadIdx.x;
  const unsigned Total = Lines * Rounds;
  bool Bad = false;
  if constexpr (By == Way::Loads) {
    uint32_t Sum = 0, Expected = 0;
    unsigned Line = 0;
    for (unsigned I = 0; I < Total; I += Stages) {
      uint4 Unit[Stages];
#pragma unroll
      for (unsigned J = 0; J < Stages; ++J) {
        const uint4 *At = Memory + First + Line * Threads;
        asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(Unit[J].x), "=r"(Unit[J].y), "=r"(Unit[J].z),
                       "=r"(Unit[J].w)
                     : "l"(At));
        Expected += First + Line * Threads;
        Line = Line + 1 == Lines ? 0 : Line + 1;
      }
#pragma unroll
      for (unsigned J = 0; J < Stages; ++J)
        Sum += Unit[J].x;
    }
    Bad = Sum != Expected;
  } else {
    const auto *From = reinterpret_cast<const char *>(Memory);
    const auto Slot =
        uint32_t(__cvta_generic_to_shared(Slots)) + threadIdx.x * Bytes;
    unsigned Line = 0, Stage = 0;
    for (unsigned I = 0; I < Total; ++I) {
      startCopy<By, Bytes>(Slot + Stage * Threads * Bytes,
                           reinterpret_cast<uint64_t>(
                               From + size_t(First + Line * Threads) * Bytes));
      closeGroup();
      waitForGroups<Stages - 1>();
      Line = Line + 1 == Lines ? 0 : Line + 1;
      Stage = Stage + 1 == Stages ? 0 : Stage + 1;
    }
    waitForGroups<0>();
    // The last copies end with the last line and the stage before the next.
    const unsigned LastStage = Stage == 0 ? Stages - 1 : Stage - 1;
    const auto *Last = reinterpret_cast<const uint32_t *>(
        reinterpret_cast<const char *>(Slots) +
        (LastStage * Threads + threadIdx.x) * Bytes);
    const auto Number =
        uint32_t(size_t(First + (Lines - 1) * Threads) * Bytes / sizeof(uint4));
    Bad = Last[0] != Number || Last[Bytes / 4 - 1] != Number;
  }
  if (Bad)
    atomicAdd(Wrong, 1);
}

__global__ void number(uint4 *Memory, unsigned Count) {
  for (unsigned I = blockIdx.x * blockDim.x + threadIdx.x; I < Count;
       I += gridDim.x * blockDim.x)
    Memory[I] = make_uint4(I, I, I, I);
}

class AsyncCopy {
public:
  explicit AsyncCopy(Session &S) : S(S) {}
  void latencies();
  void bandwidths();

private:
  template <Way By, unsigned Bytes>
  void latency(const std::string &Path, const PointerRing &Boxes,
               const std::string &From);
  /// GB/s, the best of a few runs.
  template <Way By, unsigned Stages, unsigned Bytes = 16>
  double bandwidth(const Buffer<uint4> &Memory, unsigned Lines);

  Session &S;
  Buffer<uint64_t> Out{2};
  Buffer<unsigned> Wrong{1};
};

template <Way By, unsigned Bytes>
void AsyncCopy::latency(const std::string &Path, const PointerRing &Boxes,
                        const std::string &From) {
  constexpr unsigned Steps = 4096;
  const double Read = S.need(paths::levels_shared_latency);
  const Estimate Step = inference::untilStable([&] {
    chase<By, Bytes><<<1, 1>>>(Boxes.after(0), Steps, Out.get());
    finish();
    const std::vector<uint64_t> Result = Out.download();
    if (Result[1] != Boxes.after(Steps))
      throw CudaFailure("a chase of cp.async did not end where its ring leads");
    return double(Result[0]) / Steps;
  });
  S.measured(Path, "clk", less(Step, Read),
             fmt::format("chase through {}: copy of {} bytes, wait, read of "
                         "the next address; less the read's {:.1f} clk",
                         From, Bytes, Read));
}

void AsyncCopy::latencies() {
  const PointerRing Small(32 << 10, 32, 1024, S.random());
  const std::string L1 = "32 KB in L1 by cp.async.ca";
  latency<Way::ThroughL1, 4>(paths::hopper_async_copy_latency_b4, Small, L1);
  latency<Way::ThroughL1, 8>(paths::hopper_async_copy_latency_b8, Small, L1);
  latency<Way::ThroughL1, 16>(paths::hopper_async_copy_latency_b16, Small, L1);
  const PointerRing Large(std::min<uint64_t>(8 << 20, S.device().L2Bytes / 4),
                          128, 4096, S.random());
  latency<Way::PastL1, 16>(paths::hopper_async_copy_latency_l2_b16, Large,
                           "4096 lines in L2 by cp.async.cg");
}

template <Way By, unsigned Stages, unsigned Bytes>
double AsyncCopy::bandwidth(const Buffer<uint4> &Memory, unsigned Lines) {
  const auto Kernel = moveAll<By, Stages, Bytes>;
  const unsigned SharedBytes = By == Way::Loads ? 0 : Stages * Threads * Bytes;
  check(cudaFuncSetAttribute(
      Kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(SharedBytes)));
  const unsigned Blocks = S.device().SmCount;
  // Whole groups of loads, and long enough for the launch not to matter.
  const unsigned Rounds = std::max(1u, 4096 / Lines) * Stages;
  const double Moved = double(Blocks) * Lines * Rounds * Threads * Bytes;
  Wrong.zero();
  double Best = 0;
  for (unsigned Try = 0; Try != 5; ++Try) {
    const double Time = milliseconds([&] {
      Kernel<<<Blocks, Threads, SharedBytes>>>(Memory.get(), Lines, Rounds,
                                               Wrong.get());
    });
    Best = std::max(Best, Moved / Time / 1e6);
  }
  if (Wrong.download()[0] != 0)
    throw CudaFailure("an asynchronous copy brought wrong data");
  return Best;
}

void AsyncCopy::bandwidths() {
  const Device &D = S.device();
  constexpr unsigned LineBytes = Threads * sizeof(uint4);
  const auto Lines =
      unsigned(std::max<uint64_t>(2, D.L2Bytes / 4 / D.SmCount / LineBytes));
  Buffer<uint4> Memory(size_t(D.SmCount) * Lines * Threads);
  number<<<D.SmCount, 256>>>(Memory.get(), unsigned(Memory.size()));
  finish();

  const std::vector<std::array<double, 2>> ByStages = {
      {1, bandwidth<Way::PastL1, 1>(Memory, Lines)},
      {2, bandwidth<Way::PastL1, 2>(Memory, Lines)},
      {4, bandwidth<Way::PastL1, 4>(Memory, Lines)}};
  const auto Best = [](const std::vector<std::array<double, 2>> &Points) {
    double Most = 0;
    for (const auto &[X, Y] : Points)
      Most = std::max(Most, Y);
    return Most;
  };
  S.exact(paths::hopper_async_copy_bandwidth_l2, "GB/s", Best(ByStages),
          "cp.async.cg of 16 bytes, 1024 threads on every SM, private slices "
          "of a quarter of L2, best of 1, 2 and 4 groups on their way",
          15);
  S.curve(paths::hopper_async_copy_bandwidth_by_stages, "groups on their way",
          "bandwidth [GB/s]", ByStages, "cp.async.cg of 16 bytes from L2");
  S.exact(paths::hopper_async_copy_bandwidth_l1, "GB/s",
          bandwidth<Way::ThroughL1, 4>(Memory, 1),
          "cp.async.ca of 16 bytes, 1024 threads on every SM, 16 KB per SM "
          "that stay in L1",
          5);
  S.exact(paths::hopper_async_copy_bandwidth_l1_b8, "GB/s",
          bandwidth<Way::ThroughL1, 4, 8>(Memory, 1),
          "cp.async.ca of 8 bytes, 1024 threads on every SM, 8 KB per SM that "
          "stay in L1",
          5);
  S.exact(paths::hopper_async_copy_bandwidth_l1_b4, "GB/s",
          bandwidth<Way::ThroughL1, 4, 4>(Memory, 1),
          "cp.async.ca of 4 bytes, 1024 threads on every SM, 4 KB per SM that "
          "stay in L1",
          5);
  S.exact(paths::hopper_async_copy_load_bandwidth_l2, "GB/s",
          std::max(bandwidth<Way::Loads, 2>(Memory, Lines),
                   bandwidth<Way::Loads, 4>(Memory, Lines)),
          "ld.global.cg of 16 bytes in place of the copies, the same slices",
          10);
}

void run(Session &S) {
  if (S.device().Major < 8)
    throw Skip(fmt::format("cp.async exists since sm_80; this is {}",
                           S.device().architecture()));
  AsyncCopy Measure(S);
  Measure.latencies();
  Measure.bandwidths();
}

const Registration Registered({
    .Name = "async-copy",
    .Measures = "latency and bandwidth of cp.async",
    .When = Stage::Bandwidth,
    .Provides = {{paths::hopper_async_copy_latency_b4, "clk"},
                 {paths::hopper_async_copy_latency_b8, "clk"},
                 {paths::hopper_async_copy_latency_b16, "clk"},
                 {paths::hopper_async_copy_latency_l2_b16, "clk"},
                 {paths::hopper_async_copy_bandwidth_l1, "GB/s"},
                 {paths::hopper_async_copy_bandwidth_l1_b4, "GB/s"},
                 {paths::hopper_async_copy_bandwidth_l1_b8, "GB/s"},
                 {paths::hopper_async_copy_bandwidth_l2, "GB/s"},
                 {paths::hopper_async_copy_load_bandwidth_l2, "GB/s"}},
    .Run = run,
});

} // namespace
} // namespace warpwise::harness

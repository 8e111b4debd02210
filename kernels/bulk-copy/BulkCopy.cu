//===- BulkCopy.cu - cp.async.bulk from global to shared memory -----------===//
//
// The copy engine of sm_90: one thread asks for a box of bytes and waits at an
// mbarrier. How long a box takes from L2 and from DRAM by its size, and what
// all SMs move per second, beside plain loads.
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
using Points = std::vector<std::array<double, 2>>;

/// mbarriers and bulk copies exist since sm_90; on older devices the host does
/// not launch what uses them. Barriers and boxes are shared addresses.
__device__ __forceinline__ void initialise(uint32_t Barrier) {
#if __CUDA_ARCH__ >= 900
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;\n"
               "fence.mbarrier_init.release.cluster;" ::"r"(Barrier)
               : "memory");
#endif
}

/// One thread announces \p Bytes at the barrier and asks for them.
__device__ __forceinline__ void startBox(uint32_t To, uint64_t From,
                                         uint32_t Bytes, uint32_t Barrier) {
#if __CUDA_ARCH__ >= 900
  asm volatile(
      "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(Barrier),
      "r"(Bytes)
      : "memory");
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
               "bytes [%0], [%1], %2, [%3];" ::"r"(To),
               "l"(From), "r"(Bytes), "r"(Barrier)
               : "memory");
#endif
}

/// Waits until the barrier's phase of this \p Parity is over.
__device__ __forceinline__ void waitFor(uint32_t Barrier, uint32_t Parity) {
#if __CUDA_ARCH__ >= 900
  asm volatile("{ .reg .pred Done;\n"
               "Again:\n"
               "  mbarrier.try_wait.parity.shared::cta.b64 Done, [%0], %1;\n"
               "  @!Done bra Again; }" ::"r"(Barrier),
               "r"(Parity)
               : "memory");
#endif
}

extern __shared__ __align__(128) uint4 Boxes[];

/// One thread: ask for a box, wait, read the next box's address out of it.
/// Out[0]: cycles of the last of \p Passes walks; Out[1]: its end.
__global__ void chase(uint64_t From, unsigned Bytes, unsigned Steps,
                      unsigned Passes, uint64_t *Out) {
  __shared__ uint64_t Barriers[1];
  const auto Barrier = uint32_t(__cvta_generic_to_shared(Barriers));
  const auto Box = uint32_t(__cvta_generic_to_shared(Boxes));
  initialise(Barrier);
  uint64_t At = 0, Cycles = 0;
  uint32_t Parity = 0;
#pragma unroll 1
  for (unsigned Pass = 0; Pass < Passes; ++Pass) {
    At = From + threadIdx.x;
    const uint64_t Begin = clock64Now();
#pragma unroll 1
    for (unsigned I = 0; I < Steps; ++I) {
      startBox(Box, At, Bytes, Barrier);
      waitFor(Barrier, Parity);
      Parity ^= 1;
      asm volatile("ld.shared.u64 %0, [%1];" : "=l"(At) : "r"(Box) : "memory");
    }
    consume(uint32_t(At));
    Cycles = clock64Now() - Begin;
  }
  Out[0] = Cycles;
  Out[1] = At;
}

constexpr unsigned Stages = 8;
constexpr unsigned UnitBytes = sizeof(uint4);

/// One thread of every block keeps Stages boxes on their way, over the block's
/// own \p Slice bytes, \p Rounds times. A unit of 16 bytes holds its number;
/// \p Wrong counts boxes of the last round with a wrong first or last unit.
__global__ void moveBoxes(uint64_t Memory, unsigned Bytes, uint64_t Slice,
                          unsigned Rounds, unsigned *Wrong) {
  __shared__ uint64_t Barriers[Stages];
  const auto Barrier = uint32_t(__cvta_generic_to_shared(Barriers));
  const auto Box = uint32_t(__cvta_generic_to_shared(Boxes));
  const uint64_t From = Memory + blockIdx.x * Slice;
  const unsigned PerRound = unsigned(Slice / Bytes);
  const unsigned Total = PerRound * Rounds;
  for (unsigned I = 0; I < Stages; ++I)
    initialise(Barrier + 8 * I);
  unsigned Bad = 0, Starting = 0;
  for (unsigned I = 0; I < Total + Stages; ++I) {
    const unsigned Stage = I % Stages;
    if (I >= Stages) {
      waitFor(Barrier + 8 * Stage, (I / Stages - 1) & 1);
      const unsigned Arrived = I - Stages;
      if (Arrived >= Total - PerRound) {
        const unsigned InSlice = Arrived - (Total - PerRound);
        const uint4 *Units = Boxes + Stage * (Bytes / UnitBytes);
        const auto Number = uint32_t(
            (blockIdx.x * Slice + uint64_t(InSlice) * Bytes) / UnitBytes);
        const unsigned Last = Bytes / UnitBytes - 1;
        Bad += Units[0].x != Number || Units[Last].w != Number + Last;
      }
    }
    if (I < Total) {
      startBox(Box + Stage * Bytes, From + uint64_t(Starting) * Bytes, Bytes,
               Barrier + 8 * Stage);
      Starting = Starting + 1 == PerRound ? 0 : Starting + 1;
    }
  }
  if (Bad != 0)
    atomicAdd(Wrong, Bad);
}

constexpr unsigned LoadThreads = 1024;
constexpr unsigned LoadsAtOnce = 4;

/// The same slices by 16-byte loads, LoadsAtOnce of them per thread.
__global__ void __launch_bounds__(LoadThreads)
    loadAll(const uint4 *Memory, uint64_t Slice, unsigned Rounds,
            unsigned *Wrong) {
  const unsigned Units = unsigned(Slice / UnitBytes);
  const unsigned First = blockIdx.x * Units;
  bool Bad = false;
  for (unsigned Round = 0; Round < Rounds; ++Round)
    for (unsigned I = threadIdx.x; I < Units; I += LoadThreads * LoadsAtOnce) {
      uint4 Unit[LoadsAtOnce];
#pragma unroll
      for (unsigned J = 0; J < LoadsAtOnce; ++J) {
        const uint4 *At = Memory + First + I + J * LoadThreads;
        asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(Unit[J].x), "=r"(Unit[J].y), "=r"(Unit[J].z),
                       "=r"(Unit[J].w)
                     : "l"(At));
      }
#pragma unroll
      for (unsigned J = 0; J < LoadsAtOnce; ++J)
        Bad |= Unit[J].x != First + I + J * LoadThreads;
    }
  if (Bad)
    atomicAdd(Wrong, 1);
}

__global__ void number(uint4 *Memory, uint64_t Count) {
  for (uint64_t I = blockIdx.x * uint64_t(blockDim.x) + threadIdx.x; I < Count;
       I += uint64_t(gridDim.x) * blockDim.x) {
    const auto N = uint32_t(I);
    Memory[I] = make_uint4(N, N, N, N);
  }
}

constexpr unsigned LargestBox = 16 << 10;
/// More than the barriers of a block take.
constexpr unsigned StaticShared = 1024;

class BulkCopy {
public:
  explicit BulkCopy(Session &S);
  void latencies();
  void bandwidths();

private:
  Estimate latency(unsigned Bytes, bool FromDram);
  double boxes(uint64_t Slice, unsigned Bytes, unsigned Rounds);
  double loads(uint64_t Slice, unsigned Rounds);
  /// GB/s of the best of three launches that read \p Slice of every block.
  double best(uint64_t Slice, unsigned Rounds,
              const std::function<void()> &Launch);
  /// Boxes of \p Least bytes and more against loads.
  void compare(const std::string &Level, uint64_t Slice, unsigned Rounds,
               unsigned Least);

  Session &S;
  const Device &D;
  double ReadCycles; ///< of the read that follows every box
  Buffer<uint64_t> Out{2};
  Buffer<unsigned> Wrong{1};
  Buffer<uint4> Memory;
};

BulkCopy::BulkCopy(Session &S)
    : S(S), D(S.device()), ReadCycles(S.need(paths::levels_shared_latency)) {
  check(cudaFuncSetAttribute(moveBoxes,
                             cudaFuncAttributeMaxDynamicSharedMemorySize,
                             int(D.SharedBytesPerBlock - StaticShared)));
}

Estimate BulkCopy::latency(unsigned Bytes, bool FromDram) {
  constexpr unsigned Steps = 256;
  // From L2 a second walk finds what the first brought; from DRAM the only walk
  // finds nothing.
  const uint64_t Span =
      std::max<uint64_t>(4 << 20, uint64_t(Steps) * Bytes * 2);
  const unsigned Slot = std::max(Bytes, 128u);
  const PointerRing Places(Span, Slot, Steps, S.random());
  const Estimate Step = inference::untilStable(
      [&] {
        if (FromDram)
          flushL2(D);
        chase<<<1, 1, LargestBox>>>(Places.after(0), Bytes, Steps,
                                    FromDram ? 1 : 2, Out.get());
        finish();
        const std::vector<uint64_t> Result = Out.download();
        if (Result[1] != Places.after(Steps))
          throw CudaFailure("a chase of bulk copies did not end where its ring "
                            "leads");
        return double(Result[0]) / Steps;
      },
      {.Least = 5, .Most = 12, .Relative = 0.005});
  return less(Step, ReadCycles);
}

void BulkCopy::latencies() {
  Points L2, Dram;
  std::optional<Estimate> SmallL2, SmallDram;
  for (unsigned Bytes = 16; Bytes <= LargestBox; Bytes *= 2) {
    const Estimate Near = latency(Bytes, false);
    const Estimate Far = latency(Bytes, true);
    L2.push_back({double(Bytes), Near.Value});
    Dram.push_back({double(Bytes), Far.Value});
    if (Bytes == 128) {
      SmallL2 = Near;
      SmallDram = Far;
    }
  }
  const std::string Method = fmt::format(
      "chase: ask for a box of 128 B, wait at its mbarrier, read the next "
      "address; less the read's {:.1f} clk; random boxes ",
      ReadCycles);
  S.measured(paths::hopper_bulk_copy_latency_l2, "clk", *SmallL2,
             Method + "that L2 holds");
  S.measured(paths::hopper_bulk_copy_latency_dram, "clk", *SmallDram,
             Method + "after a flush of L2");
  S.curve(paths::hopper_bulk_copy_latency_l2_by_box, "box [B]", "latency [clk]",
          std::move(L2), "chase of boxes that L2 holds");
  S.curve(paths::hopper_bulk_copy_latency_dram_by_box, "box [B]",
          "latency [clk]", std::move(Dram),
          "chase of boxes after a flush of L2");
}

double BulkCopy::best(uint64_t Slice, unsigned Rounds,
                      const std::function<void()> &Launch) {
  const double Bytes = double(Slice) * Rounds * D.SmCount;
  double Most = 0;
  Wrong.zero();
  for (unsigned Try = 0; Try != 3; ++Try)
    Most = std::max(Most, Bytes / milliseconds(Launch) / 1e6);
  if (Wrong.download()[0] != 0)
    throw CudaFailure("a bulk copy brought wrong data");
  return Most;
}

double BulkCopy::boxes(uint64_t Slice, unsigned Bytes, unsigned Rounds) {
  const auto From = reinterpret_cast<uint64_t>(Memory.get());
  return best(Slice, Rounds, [&] {
    moveBoxes<<<D.SmCount, 1, Stages * Bytes>>>(From, Bytes, Slice, Rounds,
                                                Wrong.get());
  });
}

double BulkCopy::loads(uint64_t Slice, unsigned Rounds) {
  return best(Slice, Rounds, [&] {
    loadAll<<<D.SmCount, LoadThreads>>>(Memory.get(), Slice, Rounds,
                                        Wrong.get());
  });
}

void BulkCopy::compare(const std::string &Level, uint64_t Slice,
                       unsigned Rounds, unsigned Least) {
  Points ByBox;
  double Most = 0;
  unsigned BestBox = Least;
  for (unsigned Bytes = Least;
       Bytes <= LargestBox &&
       Stages * Bytes + StaticShared <= D.SharedBytesPerBlock;
       Bytes *= 2) {
    ByBox.push_back({double(Bytes), boxes(Slice, Bytes, Rounds)});
    if (ByBox.back()[1] > Most) {
      Most = ByBox.back()[1];
      BestBox = Bytes;
    }
  }
  const std::string Where = Level == "l2" ? "L2" : "DRAM";
  const inference::StopRule Rule{.Least = 5, .Most = 25};
  S.measured("hopper.bulk_copy.bandwidth_" + Level, "GB/s",
             inference::untilStable(
                 [&] { return boxes(Slice, BestBox, Rounds); }, Rule),
             fmt::format("one thread per SM keeps {} boxes of {} B, the best "
                         "size up to 16 KB, on their way from {}",
                         Stages, BestBox, Where));
  S.curve("hopper.bulk_copy.bandwidth_" + Level + "_by_box", "box [B]",
          "bandwidth [GB/s]", std::move(ByBox),
          fmt::format("all SMs, {} boxes on their way on each", Stages));
  S.measured(
      "hopper.bulk_copy.load_bandwidth_" + Level, "GB/s",
      inference::untilStable([&] { return loads(Slice, Rounds); }, Rule),
      fmt::format("16-byte loads of the same slices from {}, {} threads on "
                  "every SM with {} loads each on their way",
                  Where, LoadThreads, LoadsAtOnce));
}

void BulkCopy::bandwidths() {
  // Whole rounds of loads, and of the largest box.
  constexpr uint64_t Grain = LoadThreads * LoadsAtOnce * UnitBytes;
  const uint64_t Small =
      std::max<uint64_t>(1, D.L2Bytes / 4 / D.SmCount / Grain) * Grain;
  const uint64_t Large =
      std::max<uint64_t>(8 * D.L2Bytes / D.SmCount / Grain, 1) * Grain;
  Memory = Buffer<uint4>(Large * D.SmCount / UnitBytes);
  number<<<4 * D.SmCount, 256>>>(Memory.get(), Memory.size());
  finish();
  const auto Repeat = unsigned(std::max<uint64_t>(1, (4 << 20) / Small));
  compare("l2", Small, Repeat, 256);
  compare("dram", Large, 1, 2048);
}

void run(Session &S) {
  if (S.device().Major < 9)
    throw Skip(fmt::format("bulk copies exist since sm_90; this is {}",
                           S.device().architecture()));
  BulkCopy Measure(S);
  Measure.latencies();
  Measure.bandwidths();
}

const Registration Registered({
    .Name = "bulk-copy",
    .Measures = "latency and bandwidth of cp.async.bulk by the size of a box",
    .When = Stage::Bandwidth,
    .Provides = {{paths::hopper_bulk_copy_latency_l2, "clk"},
                 {paths::hopper_bulk_copy_latency_dram, "clk"},
                 {paths::hopper_bulk_copy_bandwidth_l2, "GB/s"},
                 {paths::hopper_bulk_copy_bandwidth_dram, "GB/s"},
                 {paths::hopper_bulk_copy_load_bandwidth_l2, "GB/s"},
                 {paths::hopper_bulk_copy_load_bandwidth_dram, "GB/s"}},
    .Run = run,
});

} // namespace
} // namespace warpwise::harness

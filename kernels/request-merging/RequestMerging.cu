//===- RequestMerging.cu - Misses of several SMs merged before L2 ---------===//
//
// Counters show fewer reads at L2 than misses of the L1s where SMs read the
// same lines at about the same time. Without counters, a merged request shows
// twice. As bandwidth: L2 serves it once. All SMs read streams that hit L2;
// first each its own, then the same one within pairs and groups of the same
// TPC, of the same GPC, and, as the control, of different GPCs. As latency: it
// is answered together with the one that it joined. Two SMs of a cluster read
// the same lines, one some cycles later; how late it may be is the window.
//
//===----------------------------------------------------------------------===//

#include "kernels/harness/Benchmark.h"
#include "kernels/harness/PerSm.cuh"
#include "profiler/inference/RequestMerging.h"
#include "profiler/profile/Paths.h"

#include <fmt/format.h>

#include <map>

namespace warpwise::harness {
namespace {

constexpr unsigned Threads = 1024;
constexpr unsigned LoadsPerChunk = 4;
constexpr unsigned ChunkWords = Threads * LoadsPerChunk;
constexpr unsigned ChunkBytes = ChunkWords * sizeof(uint4);
constexpr unsigned StreamChunks = 2; ///< 128 KB, then from the beginning again
constexpr unsigned Chunks = 16;      ///< that are timed
/// From the common start to the first load.
constexpr uint32_t Lead = 256;

/// What one SM reads.
struct Part {
  uint32_t Stream = 0;
  uint32_t Active = 1;
};

/// Waits for all blocks, then for the same tick of the global timer. Returns
/// false if one is missing. For one thread of each block.
__device__ bool startTogether(uint32_t *Arrived, unsigned Blocks,
                              volatile uint64_t *Start) {
  if (!meet(Arrived, Blocks))
    return false;
  // All write, the first of them wins; it leaves time for the others.
  atomicCAS(const_cast<unsigned long long *>(
                reinterpret_cast<volatile unsigned long long *>(Start)),
            0ull, static_cast<unsigned long long>(globalNanoseconds() + 6000));
  const uint64_t At = *Start;
  while (globalNanoseconds() < At)
    ;
  return true;
}

/// The SMs with a part read Chunks chunks of their stream each, one after the
/// other. \p Cycles by SM: from the first load to the last value; 0: did not
/// run.
__global__ void __launch_bounds__(Threads)
    readStreams(const uint4 *Streams, const Part *Parts, unsigned Active,
                uint32_t *Arrived, uint64_t *Start, uint32_t *Cycles,
                uint32_t *Sink) {
  __shared__ uint32_t Origin;
  __shared__ bool Together;
  waitUntilPlaced();
  if (smId() >= gridDim.x || !Parts[smId()].Active)
    return;
  const Part Mine = Parts[smId()];
  const uint4 *Stream =
      Streams + size_t(Mine.Stream) * StreamChunks * ChunkWords + threadIdx.x;
  uint32_t Sum = 0;
  const auto Chunk = [&](unsigned Number) {
    const uint4 *At = Stream + Number % StreamChunks * ChunkWords;
    uint4 V[LoadsPerChunk];
#pragma unroll
    for (unsigned L = 0; L != LoadsPerChunk; ++L)
      V[L] = loadWide(At + L * Threads);
    // A branch that waits for no load keeps all of them before the first use.
    consume(uint32_t(reinterpret_cast<uint64_t>(At)));
#pragma unroll
    for (unsigned L = 0; L != LoadsPerChunk; ++L)
      Sum |= V[L].x | V[L].y | V[L].z | V[L].w;
    consume(Sum);
  };
  for (unsigned C = 0; C != StreamChunks; ++C)
    Chunk(C);
  __syncthreads();
  if (threadIdx.x == 0) {
    Together = startTogether(Arrived, Active, Start);
    Origin = clockNow();
  }
  __syncthreads();
  while (clockNow() - Origin < Lead)
    ;
#pragma unroll 1
  for (unsigned C = 0; C != Chunks; ++C) {
    Chunk(C);
  }
  __syncthreads();
  if (threadIdx.x == 0)
    Cycles[smId()] = Together ? clockNow() - Origin - Lead : 0;
  // The streams are zero.
  if (Sum != 0)
    *Sink = Sum;
}

/// Which SMs share a stream.
struct Sharing {
  const char *Name;
  const char *Means;
  std::vector<Part> Parts; ///< by SM
};

/// The SMs of each GPC; all in one where the GPCs are not known.
std::vector<std::vector<unsigned>> membersOf(const std::vector<unsigned> &Gpc,
                                             unsigned SmCount) {
  std::vector<std::vector<unsigned>> Members(
      Gpc.empty() ? 1 : 1 + *std::max_element(Gpc.begin(), Gpc.end()));
  for (unsigned Sm = 0; Sm != SmCount; ++Sm)
    Members[Gpc.empty() ? 0 : Gpc[Sm]].push_back(Sm);
  return Members;
}

std::vector<Part> own(unsigned SmCount) {
  std::vector<Part> Parts(SmCount);
  for (unsigned Sm = 0; Sm != SmCount; ++Sm)
    Parts[Sm].Stream = Sm;
  return Parts;
}

/// \p Second reads what \p First reads.
void pair(std::vector<Part> &Parts, unsigned First, unsigned Second) {
  Parts[Second].Stream = Parts[First].Stream;
}

constexpr const char *TpcPairs = "tpc_pairs";
constexpr const char *GpcPairs = "gpc_pairs";
constexpr const char *FarPairs = "far_pairs";
constexpr const char *Gpcs = "gpcs";
constexpr const char *Mixed = "mixed_groups";

std::vector<Sharing> sharings(const std::vector<unsigned> &Gpc,
                              unsigned SmCount) {
  const auto Members = membersOf(Gpc, SmCount);
  std::vector<Sharing> All;
  All.reserve(8); // Add hands out references
  const auto Add = [&](const char *Name,
                       const char *Means) -> std::vector<Part> & {
    All.push_back({Name, Means, own(SmCount)});
    return All.back().Parts;
  };
  auto &Tpc = Add(TpcPairs, "SMs 2k and 2k + 1");
  for (unsigned Sm = 0; Sm + 1 < SmCount; Sm += 2)
    pair(Tpc, Sm, Sm + 1);
  if (Members.size() < 2) {
    auto &Far = Add(FarPairs, "SMs half of all numbers apart");
    for (unsigned Sm = 0; Sm != SmCount / 2; ++Sm)
      pair(Far, Sm, Sm + SmCount / 2);
    return All;
  }
  auto &Near = Add(GpcPairs, "SMs of one GPC, half of its SMs apart");
  for (const auto &M : Members)
    for (size_t I = 0; I != M.size() / 2; ++I)
      pair(Near, M[I], M[I + M.size() / 2]);
  auto &Far = Add(FarPairs, "SMs of two GPCs");
  for (size_t G = 0; G + 1 < Members.size(); G += 2)
    for (size_t I = 0; I != std::min(Members[G].size(), Members[G + 1].size());
         ++I)
      pair(Far, Members[G][I], Members[G + 1][I]);
  auto &Whole = Add(Gpcs, "all SMs of a GPC");
  auto &Across = Add(Mixed, "as many SMs as a GPC has, of all GPCs");
  unsigned Next = 0;
  for (size_t G = 0; G != Members.size(); ++G)
    for (unsigned Sm : Members[G])
      Whole[Sm].Stream = unsigned(G);
  // Deals the SMs out to as many groups as there are GPCs.
  for (const auto &M : Members)
    for (unsigned Sm : M)
      Across[Sm].Stream = unsigned(Next++ % Members.size());
  return All;
}

class Streams {
public:
  explicit Streams(const Device &D)
      : Dev(D), Words(size_t(D.SmCount) * StreamChunks * ChunkWords),
        Parts(D.SmCount), Arrived(1), Start(1), Cycles(D.SmCount), Sink(1) {
    allowHalfSm(readStreams, D);
    Words.zero();
    Sink.zero();
  }

  /// Bytes per cycle and SM, mean over the SMs, median of \p Repeats.
  double bandwidth(const std::vector<Part> &Plan, unsigned Repeats = 5) {
    Parts.upload(Plan);
    unsigned Active = 0;
    for (const Part &P : Plan)
      Active += P.Active;
    std::vector<double> Each;
    for (unsigned R = 0; R != Repeats; ++R) {
      Arrived.zero();
      Start.zero();
      Cycles.zero();
      launchOnePerSm(readStreams, Dev, Threads, Words.get(), Parts.get(),
                     Active, Arrived.get(), Start.get(), Cycles.get(),
                     Sink.get());
      finish();
      const std::vector<uint32_t> Took = Cycles.download();
      double Sum = 0;
      for (unsigned Sm = 0; Sm != Plan.size(); ++Sm) {
        if (Plan[Sm].Active && Took[Sm] == 0)
          throw Skip("the SMs could not be started together");
        if (Plan[Sm].Active)
          Sum += double(Chunks) * ChunkBytes / Took[Sm];
      }
      Each.push_back(Sum / Active);
    }
    if (Sink.download()[0] != 0)
      throw CudaFailure("a stream of request-merging read wrong data");
    return inference::median(Each);
  }

private:
  const Device &Dev;
  Buffer<uint4> Words;
  Buffer<Part> Parts;
  Buffer<uint32_t> Arrived;
  Buffer<uint64_t> Start;
  Buffer<uint32_t> Cycles, Sink;
};

constexpr unsigned PairLines = 256;
constexpr unsigned MostSteps = 64; ///< of the delay

/// When the load of a pair's SM went out, after both had met, and when its
/// value was there; means in cycles.
struct Answer {
  float Sent = 0, Ready = 0;
};

/// Meets the other block of the cluster; they go on at the same time.
__device__ __forceinline__ void meetPartner() {
#if __CUDA_ARCH__ >= 900
  asm volatile("barrier.cluster.arrive.aligned;\n"
               "barrier.cluster.wait.aligned;" ::
                   : "memory");
#endif
}

/// Clusters of two blocks of one warp. Both read the same lines past L1, one at
/// a time, the second block \p Steps of its delay after the first. They have
/// both read them before: all hit L2.
__global__ void readTogether(const uint32_t *Lines, unsigned Steps,
                             Answer *Answers, uint32_t *Sink) {
  const bool Second = blockIdx.x % 2 != 0;
  const uint32_t *At = Lines + blockIdx.x / 2 * (PairLines * 32) + threadIdx.x;
  uint32_t Sum = 0, Sent = 0, Ready = 0, Delay = 0;
  for (unsigned Pass = 0; Pass != 2; ++Pass)
    for (unsigned L = 0; L != PairLines; ++L) {
      meetPartner();
      const uint32_t From = clockNow();
      if (Second)
        for (unsigned S = 0; S != Steps; ++S)
          asm volatile("add.u32 %0, %0, 1;" : "+r"(Delay)::"memory");
      const uint32_t Before = clockNow();
      const uint32_t Value = load<Path::L2>(At + L * 32);
      Sum |= Value;
      consume(Sum);
      const uint32_t After = clockNow();
      if (Pass != 0) {
        Sent += Before - From;
        Ready += After - From;
      }
    }
  // Nobody leaves a cluster while the other may still use it.
  meetPartner();
  if (threadIdx.x == 0)
    Answers[blockIdx.x] = {float(Sent) / PairLines, float(Ready) / PairLines};
  if (Sum != 0)
    *Sink = Sum + Delay;
}

/// How much later the second SM of a pair asks and is answered.
class Pair {
public:
  Pair() : Lines(PairLines * 32), Answers(2), Sink(1) {
    Lines.zero();
    Sink.zero();
  }

  std::array<double, 2> lags(unsigned Steps) {
    cudaLaunchAttribute Attribute;
    Attribute.id = cudaLaunchAttributeClusterDimension;
    Attribute.val.clusterDim.x = 2;
    Attribute.val.clusterDim.y = 1;
    Attribute.val.clusterDim.z = 1;
    cudaLaunchConfig_t Config = {};
    Config.gridDim = 2;
    Config.blockDim = 32;
    Config.attrs = &Attribute;
    Config.numAttrs = 1;
    check(cudaLaunchKernelEx(&Config, readTogether,
                             static_cast<const uint32_t *>(Lines.get()), Steps,
                             Answers.get(), Sink.get()));
    finish();
    const std::vector<Answer> Each = Answers.download();
    return {Each[1].Sent - Each[0].Sent, Each[1].Ready - Each[0].Ready};
  }

private:
  Buffer<uint32_t> Lines;
  Buffer<Answer> Answers;
  Buffer<uint32_t> Sink;
};

/// Starts the second SM of a pair later and later: a merged request is answered
/// with the one that it joined, another as much later as it was asked.
void recordWindow(Session &S) {
  if (S.device().Major < 9) {
    S.notMeasurable(paths::concurrency_merge_window, "clk",
                    "SMs of one GPC can be brought to meet in thread-block "
                    "clusters only, from sm_90 on");
    return;
  }
  Pair Two;
  Two.lags(0);
  std::vector<std::array<double, 2>> Points;
  for (unsigned Steps = 0; Steps <= MostSteps; ++Steps) {
    std::vector<double> Asked, Answered;
    for (unsigned R = 0; R != 5; ++R) {
      const auto [Ask, Answer] = Two.lags(Steps);
      Asked.push_back(Ask);
      Answered.push_back(Answer);
    }
    Points.push_back({std::round(inference::median(Asked)),
                      std::round(inference::median(Answered))});
  }
  std::sort(Points.begin(), Points.end());
  const std::string Method =
      "two SMs of a cluster read the same lines, which hit L2, one line at a "
      "time, the second SM some cycles after the first";
  S.curve(paths::concurrency_merge_answer_by_skew, "skew [clk]",
          "how much later the second answer comes [clk]", Points, Method);
  const inference::MergeWindow Window = inference::mergeWindow(Points);
  if (!Window.Cycles)
    S.notMeasurable(paths::concurrency_merge_window, "clk", Window.WhyNot);
  else
    S.measured(paths::concurrency_merge_window, "clk", *Window.Cycles,
               Method + "; skew up to which both answers come together");
}

void run(Session &S) {
  const Device &D = S.device();
  if (uint64_t(D.SmCount) * StreamChunks * ChunkBytes > D.L2Bytes / 2)
    throw Skip("a stream of 128 KB for each SM does not fit into L2");
  Streams Runs(D);
  const std::vector<Part> Unshared = own(D.SmCount);
  const double Own = Runs.bandwidth(Unshared);
  std::vector<Part> OneSm = Unshared;
  for (unsigned Sm = 1; Sm != D.SmCount; ++Sm)
    OneSm[Sm].Active = 0;
  const double Alone = Runs.bandwidth(OneSm);
  const std::string Setup =
      fmt::format("all SMs read 128 KB streams that hit L2, {} KB each, whole "
                  "lines",
                  Chunks * ChunkBytes >> 10);
  S.exact(paths::concurrency_merge_unshared, "B/clk", Own,
          Setup + ", every SM its own stream, mean of an SM", 5);
  S.exact(paths::concurrency_merge_alone, "B/clk", Alone,
          "one SM reads a 128 KB stream that hits L2, the others are idle", 5);

  std::map<std::string, double> Gain;
  std::string Numbers =
      fmt::format("unshared {:.1f} B/clk per SM, one SM alone "
                  "{:.1f} B/clk",
                  Own, Alone);
  const std::vector<Sharing> All = sharings(gpcOfSms(S), D.SmCount);
  for (const Sharing &Each : All) {
    Gain[Each.Name] = Runs.bandwidth(Each.Parts) / Own;
    S.exact(fmt::format("concurrency.merge.gain.{}", Each.Name), "1",
            Gain[Each.Name],
            fmt::format("{}; bandwidth when {} read the same stream, against "
                        "every SM its own",
                        Setup, Each.Means),
            5);
    Numbers += fmt::format(", {} {:.3f}", Each.Name, Gain[Each.Name]);
  }

  const auto GainOf = [&](const char *Name) -> std::optional<double> {
    const auto At = Gain.find(Name);
    return At == Gain.end() ? std::nullopt : std::optional(At->second);
  };
  const std::optional<inference::MergingGroup> Group =
      inference::mergingGroup({Gain[TpcPairs], Gain[FarPairs], GainOf(GpcPairs),
                               GainOf(Gpcs), GainOf(Mixed)});
  recordWindow(S);
  if (!Group) {
    const std::string Reason =
        "no sharing raises the bandwidth, so merging cannot be seen without "
        "counters: " +
        Numbers;
    S.notMeasurable(paths::concurrency_merge_group, "name", Reason);
    S.notMeasurable(paths::concurrency_merge_speedup, "1", Reason);
    return;
  }
  S.word(paths::concurrency_merge_group, Group->Name,
         "the widest group of SMs that gains by reading the same lines: " +
             Numbers);
  S.exact(paths::concurrency_merge_speedup, "1", Group->Speedup,
          "bandwidth of SMs that share a stream within the group against SMs "
          "that share one across groups: " +
              Numbers,
          5);
}

const Registration Registered({
    .Name = "request-merging",
    .Measures = "merging of several SMs' misses before L2",
    .When = Stage::Warp,
    .Provides = {{paths::concurrency_merge_group, "name"},
                 {paths::concurrency_merge_window, "clk"},
                 {paths::concurrency_merge_speedup, "1"},
                 {paths::concurrency_merge_unshared, "B/clk"},
                 {paths::concurrency_merge_alone, "B/clk"}},
    .Run = run,
});

} // namespace
} // namespace warpwise::harness

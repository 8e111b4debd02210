//===- RequestMerging.cu - Misses of several SMs merged before L2 ---------===//
//
// Counters show fewer reads at L2 than misses of the L1s where SMs read the
// same lines at about the same time. Without counters, a merged request shows
// as bandwidth: L2 serves it once. All SMs read streams that hit L2; first each
// its own, then the same one within pairs and groups of the same TPC, of the
// same GPC, and, as the control, of different GPCs. Where a group gains against
// the control, its partners start later and later until the gain is gone: that
// is the window.
//
//===----------------------------------------------------------------------===//

#include "kernels/harness/Benchmark.h"
#include "kernels/sm-topology/PerSm.cuh"

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
  uint32_t Rank = 0; ///< starts this many skews late
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

/// The SMs with a part read Chunks chunks of their stream each. A chunk starts
/// \p Period cycles after the one before, or as soon as that has arrived; all
/// start \p Skew cycles times the rank late. \p Cycles by SM: from the first
/// load to the last value; 0: did not run.
__global__ void __launch_bounds__(Threads)
    readStreams(const uint4 *Streams, const Part *Parts, unsigned Active,
                uint32_t Period, uint32_t Skew, uint32_t *Arrived,
                uint64_t *Start, uint32_t *Cycles, uint32_t *Sink) {
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
  const uint32_t Late = Lead + Mine.Rank * Skew;
#pragma unroll 1
  for (unsigned C = 0; C != Chunks; ++C) {
    while (clockNow() - Origin < Late + C * Period)
      ;
    Chunk(C);
  }
  __syncthreads();
  if (threadIdx.x == 0)
    Cycles[smId()] = Together ? clockNow() - Origin - Late : 0;
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
  Parts[Second].Rank = 1;
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
  double bandwidth(const std::vector<Part> &Plan, uint32_t Period = 0,
                   uint32_t Skew = 0, unsigned Repeats = 5) {
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
                     Active, Period, Skew, Arrived.get(), Start.get(),
                     Cycles.get(), Sink.get());
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

/// A gain below this is noise.
constexpr double LeastGain = 1.05;

/// Starts the second SM of each pair later and later. The pace is a quarter
/// above what L2 gives without merging: merged streams keep it, and with it
/// their skew; others fall behind.
void recordWindow(Session &S, Streams &Runs, const Sharing &Pairs, double Own) {
  const auto Period = uint32_t(ChunkBytes / (1.25 * Own));
  std::vector<std::array<double, 2>> Points;
  for (uint32_t Skew : {0, 25, 50, 75, 100, 125, 150, 175, 200, 250, 300, 350,
                        400, 500, 600, 800, 1000, 1500, 2000})
    Points.push_back(
        {double(Skew), Runs.bandwidth(Pairs.Parts, Period, Skew) / Own});
  const std::string Method = fmt::format(
      "streams read by pairs ({}), paced at 1.25 times what unshared streams "
      "reach, the second of each pair starting late",
      Pairs.Means);
  S.curve("concurrency.merge.speedup_by_skew", "skew [clk]",
          "bandwidth against unshared streams", Points, Method);
  const double First = Points.front()[1], Last = Points.back()[1];
  if (First < LeastGain * Last) {
    S.notMeasurable(
        "concurrency.merge.window", "clk",
        fmt::format("the gain does not fade with skew: {:.3f} together, {:.3f} "
                    "with 2000 cycles",
                    First, Last));
    return;
  }
  double Before = 0, Behind = 0;
  for (const auto &[Skew, Speedup] : Points) {
    Behind = Skew;
    if (Speedup < (First + Last) / 2)
      break;
    Before = Skew;
  }
  inference::Estimate E;
  E.Value = (Before + Behind) / 2;
  E.Low = Before;
  E.High = Behind;
  E.N = unsigned(Points.size());
  // Where much of the gain is left far beyond, it fades in steps, and their
  // middle is no window.
  double Left = 0;
  for (const auto &[Skew, Speedup] : Points)
    if (Skew >= 4 * Behind)
      Left = std::max(Left, (Speedup - 1) / (First - 1));
  E.Converged = Left < 0.25;
  S.measured("concurrency.merge.window", "clk", E,
             fmt::format("{}, skew at which half of the gain is gone; {:.0f} % "
                         "of it are left at four times that",
                         Method, 100 * Left));
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
  S.exact("concurrency.merge.unshared", "B/clk", Own,
          Setup + ", every SM its own stream, mean of an SM", 5);
  S.exact("concurrency.merge.alone", "B/clk", Alone,
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

  // Sharing alone may help L2; only what is beyond SMs that are far from each
  // other is merged on the way.
  const auto Gains = [&](const char *Name, const char *Control) {
    return Gain.count(Name) && Gain[Name] >= LeastGain * Gain[Control];
  };
  const char *Pairs = nullptr;
  std::string Group;
  double Speedup = 0;
  if (Gains(GpcPairs, FarPairs) || Gains(Gpcs, Mixed)) {
    Group = "GPC";
    Pairs = Gains(GpcPairs, FarPairs) ? GpcPairs : nullptr;
    Speedup = Gain[Gpcs] / Gain[Mixed];
  } else if (Gains(TpcPairs, FarPairs)) {
    Group = "TPC";
    Pairs = TpcPairs;
    Speedup = Gain[TpcPairs] / Gain[FarPairs];
  } else if (Gain[FarPairs] >= LeastGain) {
    Group = "device";
    Pairs = FarPairs;
    Speedup = Gain[FarPairs];
  }
  if (Group.empty()) {
    const std::string Reason =
        "no sharing raises the bandwidth, so merging cannot be seen without "
        "counters: " +
        Numbers;
    S.notMeasurable("concurrency.merge.group", "name", Reason);
    S.notMeasurable("concurrency.merge.speedup", "1", Reason);
    S.notMeasurable("concurrency.merge.window", "clk", Reason);
    return;
  }
  S.word("concurrency.merge.group", Group,
         "the widest group of SMs that gains by reading the same lines: " +
             Numbers);
  S.exact("concurrency.merge.speedup", "1", Speedup,
          "bandwidth of SMs that share a stream within the group against SMs "
          "that share one across groups: " +
              Numbers,
          5);
  if (!Pairs) {
    S.notMeasurable("concurrency.merge.window", "clk",
                    "only whole GPCs gain, pairs of their SMs do not");
    return;
  }
  for (const Sharing &Each : All)
    if (Each.Name == std::string_view(Pairs))
      recordWindow(S, Runs, Each, Own);
}

const Registration Registered({
    .Name = "request-merging",
    .Measures = "merging of several SMs' misses before L2",
    .When = Stage::Warp,
    .Provides = {{"concurrency.merge.group", "name"},
                 {"concurrency.merge.window", "clk"},
                 {"concurrency.merge.speedup", "1"},
                 {"concurrency.merge.unshared", "B/clk"},
                 {"concurrency.merge.alone", "B/clk"}},
    .Run = run,
});

} // namespace
} // namespace warpwise::harness

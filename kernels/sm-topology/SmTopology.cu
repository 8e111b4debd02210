//===- SmTopology.cu - Which SMs form a TPC and a GPC ---------------------===//
//
// All blocks of a thread-block cluster lie inside one GPC. Clusters of many
// sizes are launched with one block per SM; SMs that ever shared a cluster are
// joined, until nothing joins any more. Two SMs of a TPC share a port: they
// slow each other down, and clusters of two lie on them.
//
//===----------------------------------------------------------------------===//

#include "kernels/harness/Benchmark.h"
#include "kernels/harness/PerSm.cuh"
#include "profiler/inference/SmTopology.h"
#include "profiler/profile/Paths.h"

#include <fmt/format.h>

#include <set>

namespace warpwise::harness {
namespace {

constexpr unsigned MostClusterBlocks = 16;
constexpr unsigned StreamThreads = 512;
constexpr unsigned StreamBytes = 256 << 10;
constexpr unsigned StreamRounds = 4;

/// Each block notes its SM and stays for a time of its own, so that clusters
/// end in mixed order and later ones find ever new SMs free.
__global__ void noteSm(uint32_t *Sm, uint32_t Seed) {
  if (threadIdx.x != 0)
    return;
  Sm[blockIdx.x] = smId();
  const uint32_t Mixed = (blockIdx.x ^ Seed) * 2654435761u;
  const uint64_t From = clock64Now();
  while (clock64Now() - From < 3000 + (Mixed >> 19))
    ;
}

/// Two SMs, or one if they are equal, read a region of L2 each at the same
/// time. \p Clocks gets the cycles of the first; 0 if the other never came.
__global__ void streamTogether(const uint4 *Regions, unsigned First,
                               unsigned Second, uint32_t *Arrived,
                               uint32_t *Clocks, uint32_t *Sink) {
  __shared__ bool Together;
  waitUntilPlaced();
  const unsigned Me = smId();
  if (Me != First && Me != Second)
    return;
  constexpr unsigned Words = StreamBytes / sizeof(uint4);
  const uint4 *Mine = Regions + (Me == First ? 0 : Words) + threadIdx.x;
  uint32_t Sum = 0;
  uint32_t Begin = 0;
  for (unsigned Round = 0; Round <= StreamRounds; ++Round) {
    // The first round brings the region into the near part of L2.
    if (Round == 1) {
      __syncthreads();
      if (threadIdx.x == 0)
        Together = meet(Arrived, First == Second ? 1 : 2);
      __syncthreads();
      Begin = clockNow();
    }
#pragma unroll 8
    for (unsigned I = 0; I < Words; I += StreamThreads) {
      const uint4 V = loadWide(Mine + I);
      Sum ^= V.x ^ V.y ^ V.z ^ V.w;
    }
  }
  consume(Sum);
  __syncthreads();
  const uint32_t End = clockNow();
  if (Me == First && threadIdx.x == 0)
    *Clocks = Together ? End - Begin : 0;
  Sink[threadIdx.x] = Sum;
}

/// Launches clusters and keeps what they tell.
class ClusterSurvey {
public:
  explicit ClusterSurvey(const Device &D)
      : Dev(D), Joined(D.SmCount), Sm(8 * (D.SmCount + MostClusterBlocks)) {
    allowHalfSm(noteSm, D);
    // Where this is refused, clusters of up to eight remain.
    if (cudaFuncSetAttribute(reinterpret_cast<const void *>(noteSm),
                             cudaFuncAttributeNonPortableClusterSizeAllowed,
                             1) != cudaSuccess)
      cudaGetLastError();
  }

  /// Clusters of \p Size that the runtime says fit at once; 0: none.
  unsigned mostActive(unsigned Size) {
    cudaLaunchAttribute Attribute;
    cudaLaunchConfig_t Config = configure(Size, Dev.SmCount, Attribute);
    int Count = 0;
    if (cudaOccupancyMaxActiveClusters(&Count, noteSm, &Config) == cudaSuccess)
      return Count;
    cudaGetLastError();
    return 0;
  }

  /// One launch of clusters of \p Size, several waves long.
  void launch(unsigned Size, uint32_t Seed) {
    const unsigned Clusters = 8 * std::max(1u, Dev.SmCount / Size);
    cudaLaunchAttribute Attribute;
    cudaLaunchConfig_t Config = configure(Size, Clusters * Size, Attribute);
    check(cudaLaunchKernelEx(&Config, noteSm, Sm.get(), Seed));
    finish();
    const std::vector<uint32_t> Where = Sm.download(Clusters * Size);
    for (unsigned I = 0; I != Where.size(); ++I) {
      if (Where[I] >= Dev.SmCount)
        throw Skip("the numbers of the SMs have gaps");
      Seen.insert(Where[I]);
      Joined.join(Where[I], Where[I - I % Size]);
    }
    if (Size == 2)
      for (unsigned I = 0; I != Where.size(); I += 2)
        Pairs.add(Where[I], Where[I + 1]);
  }

  std::vector<unsigned> gpcs() { return Joined.numbered(); }
  size_t seen() const { return Seen.size(); }
  inference::ClusterPairs Pairs;

private:
  cudaLaunchConfig_t configure(unsigned Size, unsigned Blocks,
                               cudaLaunchAttribute &Attribute) {
    Attribute.id = cudaLaunchAttributeClusterDimension;
    Attribute.val.clusterDim.x = Size;
    Attribute.val.clusterDim.y = 1;
    Attribute.val.clusterDim.z = 1;
    cudaLaunchConfig_t Config = {};
    Config.gridDim = std::max(Size, Blocks / Size * Size);
    Config.blockDim = 32;
    Config.dynamicSmemBytes = sharedOfHalfSm(Dev);
    Config.attrs = &Attribute;
    Config.numAttrs = 1;
    return Config;
  }

  const Device &Dev;
  inference::SmGroups Joined;
  std::set<unsigned> Seen;
  Buffer<uint32_t> Sm;
};

/// Records what clusters say.
void surveyGpcs(Session &S) {
  const Device &D = S.device();
  if (D.Major < 9)
    throw Skip("thread-block clusters, which show it, need sm_90");
  ClusterSurvey Survey(D);
  std::vector<unsigned> Sizes;
  for (unsigned Size = 2; Size <= MostClusterBlocks; ++Size)
    if (Survey.mostActive(Size) != 0)
      Sizes.push_back(Size);
  if (Sizes.empty())
    throw Skip("the device runs no clusters of several SMs");
  // Joined until three rounds over all sizes change nothing.
  std::vector<unsigned> Gpc;
  unsigned Rounds = 0;
  for (unsigned Unchanged = 0; Unchanged != 3 && Rounds != 20; ++Rounds) {
    for (unsigned Size : Sizes)
      Survey.launch(Size, static_cast<uint32_t>(S.random()()));
    std::vector<unsigned> Now = Survey.gpcs();
    Unchanged = Now == Gpc ? Unchanged + 1 : 0;
    Gpc = std::move(Now);
  }
  if (Survey.seen() != D.SmCount)
    throw Skip(fmt::format("clusters reached {} of {} SMs only", Survey.seen(),
                           D.SmCount));

  const inference::Gpcs Found = inference::gpcsOf(Gpc);
  std::vector<std::array<double, 2>> Map, PerGpc;
  for (unsigned Sm = 0; Sm != Gpc.size(); ++Sm)
    Map.push_back({double(Sm), double(Gpc[Sm])});
  for (unsigned G = 0; G != Found.Members.size(); ++G)
    PerGpc.push_back({double(G), double(Found.Members[G])});
  const std::string Method = fmt::format(
      "SMs that shared a cluster, joined over {} rounds of clusters of {} to "
      "{} blocks with one block per SM, numbered by their first SM",
      Rounds, Sizes.front(), Sizes.back());
  S.curve(paths::topology_sm_to_gpc, "SM [%smid]", "GPC", Map, Method);
  S.curve(paths::topology_sms_per_gpc, "GPC", "SMs", PerGpc, Method);
  S.exact(paths::topology_gpc_count, "1", Found.Count,
          Method + "; groups of more than two SMs", Rounds);
  S.exact(paths::topology_sms_outside_clusters, "1", Found.LoneSms,
          "SMs in groups of two or less, whose TPC shares no cluster with "
          "another",
          Rounds);
  if (Survey.Pairs.All == 0)
    return;
  S.exact(paths::topology_pairs_on_neighbours, "1", Survey.Pairs.share(),
          "share of clusters of two blocks that lie on SMs 2k and 2k + 1",
          Survey.Pairs.All);
  S.check(paths::topology_sms_per_tpc,
          "2 if clusters of two blocks always lie on SMs 2k and 2k + 1, else 1",
          Survey.Pairs.tpcSms(), 0);
}

/// How much slower SM 0 reads L2 beside each other SM.
void surveyTpcs(Session &S) {
  const Device &D = S.device();
  allowHalfSm(streamTogether, D);
  Buffer<uint4> Regions(2 * StreamBytes / sizeof(uint4));
  Regions.zero();
  constexpr unsigned Repeats = 3;
  const unsigned Launches = Repeats * D.SmCount;
  Buffer<uint32_t> Arrived(Launches), Clocks(Launches), Sink(StreamThreads);
  Arrived.zero();
  Clocks.zero();
  for (unsigned I = 0; I != Launches; ++I)
    launchOnePerSm(streamTogether, D, StreamThreads, Regions.get(), 0u,
                   I % D.SmCount, Arrived.get() + I, Clocks.get() + I,
                   Sink.get());
  finish();
  const std::vector<uint32_t> Took = Clocks.download();
  const auto MedianOf = [&](unsigned Sm) {
    std::vector<double> Each;
    for (unsigned I = Sm; I < Launches; I += D.SmCount)
      if (Took[I] != 0)
        Each.push_back(Took[I]);
    if (Each.empty())
      throw Skip(fmt::format("no block came to SM {}", Sm));
    return inference::median(Each);
  };
  const double Alone = MedianOf(0);
  std::vector<std::array<double, 2>> Slower;
  std::vector<double> Ratios;
  for (unsigned Sm = 1; Sm != D.SmCount; ++Sm) {
    Ratios.push_back(MedianOf(Sm) / Alone);
    Slower.push_back({double(Sm), Ratios.back()});
  }
  S.curve(paths::topology_contention_with_sm_0, "other SM [%smid]",
          "time of SM 0 against alone", Slower,
          "SM 0 reads 256 KB of L2 while another SM reads 256 KB of its own");
  const inference::Partners Found = inference::partnersOf(Ratios);
  if (Found.Count == 0) {
    const std::string Reason =
        fmt::format("no SM slows another's L2 reads down more than the rest "
                    "does (most {:.3f}, usual {:.3f})",
                    Found.Most, Found.Usual);
    S.notMeasurable(paths::topology_sms_per_tpc, "1", Reason);
    return;
  }
  S.inferred(paths::topology_sms_per_tpc, "1", 1 + Found.Count,
             fmt::format("SMs that slow SM 0's L2 reads down by more than "
                         "{:.0f} %, and itself; the most is {:.0f} %",
                         100 * (Found.Limit - 1), 100 * (Found.Most - 1)));
}

void run(Session &S) {
  surveyTpcs(S);
  surveyGpcs(S);
}

const Registration Registered({
    .Name = "sm-topology",
    .Measures = "which SMs form a TPC and a GPC",
    // Before the geometry: placement and maps build on it.
    .When = Stage::Device,
    .Provides = {{paths::topology_gpc_count, "1"},
                 {paths::topology_sms_per_tpc, "1"},
                 {paths::topology_pairs_on_neighbours, "1"}},
    .Run = run,
});

} // namespace
} // namespace warpwise::harness

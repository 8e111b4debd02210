//===- Sampling.cpp - What is simulated of a large launch -----------------===//

#include "analyzer/reuse/Sampling.h"

#include "analyzer/reuse/Bits.h"
#include "analyzer/reuse/StoppingRules.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

using namespace warpwise;
using namespace warpwise::reuse;

Sample reuse::planSample(const SampleSettings &Settings, uint64_t AllBlocks,
                         uint64_t Wave, double AccessesPerBlock, unsigned Sms) {
  Sample S;
  S.AllBlocks = S.Blocks = AllBlocks;
  const double Budget =
      Settings.MostAccesses == 0
          ? 0
          : std::max(double(Settings.MostAccesses),
                     (Settings.Adaptive ? stopping::LeastOfLaunch : 0) *
                         AccessesPerBlock * double(AllBlocks));
  const double PerWave = std::max(1.0, AccessesPerBlock * double(Wave));
  uint64_t Waves = Settings.Waves;
  if (Waves == 0 && Budget > 0 && AccessesPerBlock * double(AllBlocks) > Budget)
    Waves = std::max<uint64_t>(2, uint64_t(Budget / PerWave));
  if (Waves != 0 && Waves * Wave < AllBlocks) {
    // From the middle, and as a wave would begin.
    S.Blocks = Waves * Wave;
    S.FirstBlock = (AllBlocks - S.Blocks) / 2 / Wave * Wave;
  }
  S.ColdBlocks = std::min(Wave, S.Blocks);
  S.SmStride = std::max(1u, Settings.SmStride);
  if (Settings.SmStride == 0 && Budget > 0)
    S.SmStride = unsigned(std::clamp(
        std::ceil(AccessesPerBlock * double(S.Blocks) / (2 * Budget)), 1.0,
        double(mostStride(AllBlocks, Sms))));
  S.SmStride = std::min(S.SmStride, Sms);
  return S;
}

void Sample::compareChunksOf(uint64_t Wave) {
  const bool Enough =
      Wave >= stopping::UsualChunksOfWave * stopping::LeastBlocksOfChunk;
  const uint64_t Parts =
      Enough ? stopping::UsualChunksOfWave : stopping::LeastChunksOfWave;
  ChunkBlocks = (Wave + Parts - 1) / Parts;
  ColdBlocks = Parts * ChunkBlocks;
}

unsigned reuse::mostStride(uint64_t Blocks, unsigned Sms) {
  return unsigned(std::max<uint64_t>(1, std::min<uint64_t>(Blocks, Sms) /
                                            stopping::LeastSms));
}

bool reuse::agree(const Traffic &A, uint64_t BlocksOfA, const Traffic &B,
                  uint64_t BlocksOfB) {
  const auto rate = [](double Part, double All) {
    return All > 0 ? Part / All : 0;
  };
  const auto alike = [](double X, double Y, double Of) {
    return std::abs(X - Y) <=
           stopping::MostTrafficDifference * std::max({X, Y, Of});
  };
  const double Each = 1.0 / double(BlocksOfA), Other = 1.0 / double(BlocksOfB);
  // What is little beside the rest need not be the same.
  const double Loads = stopping::LittleDram * std::max(Each * A.L2ReadSectors,
                                                       Other * B.L2ReadSectors);
  return std::abs(rate(A.LoadHits, A.LoadSectors) -
                  rate(B.LoadHits, B.LoadSectors)) <=
             stopping::MostL1Difference &&
         std::abs(rate(A.L2ReadHits, A.L2ReadSectors) -
                  rate(B.L2ReadHits, B.L2ReadSectors)) <=
             stopping::MostL2Difference &&
         alike(Each * A.LoadSectors, Other * B.LoadSectors, 0) &&
         alike(Each * A.StoreSectors, Other * B.StoreSectors, 0) &&
         alike(Each * A.L2ReadSectors, Other * B.L2ReadSectors, 0) &&
         alike(Each * A.DramReadSectors, Other * B.DramReadSectors, Loads);
}

// The survey is research/cache-model.md, section 5; the errors of settled
// samples are in docs/accuracy.md.
std::string Sample::describe(bool Bounded) const {
  if (all())
    return "all blocks were simulated";
  std::string Text;
  if (Settled)
    Text = fmt::format(
        "{} of {} blocks were simulated, until one part of a wave after the "
        "other said the same; on PolyBench and cuda-samples this changes L1 by "
        "less than 1 point, L2 by 2 and its reads by 3 % at most, but what is "
        "written back to DRAM is not seen",
        Blocks, AllBlocks);
  else if (Blocks != AllBlocks)
    Text =
        fmt::format("{} of {} blocks were simulated, waves from the middle of "
                    "the grid; a survey on PolyBench found mean errors changed "
                    "by 0.1 points in L1 and 0.3 in L2, more for kernels that "
                    "reuse data across many waves",
                    Blocks, AllBlocks);
  if (!Windows.whole())
    Text = fmt::format("{} of {} parts of each warp's accesses were simulated, "
                       "because the parts are alike; on PolyBench this changes "
                       "L1 by 0.1 points, L2 by less than 3 and its reads by "
                       "3 % in the mean and 14 % at most",
                       Windows.Simulated, Windows.All);
  if (SmStride != 1) {
    if (!Text.empty())
      Text += "; ";
    Text +=
        fmt::format("one of {} SMs was simulated; the survey found L1 within "
                    "0.05 points, and figures of L2 are unreliable, because "
                    "what SMs share is missing",
                    SmStride);
  }
  if (Bounded)
    Text += "; misses of L2 are limited by what the launch can touch";
  return Text;
}

TouchedLines::TouchedLines(TraceSource &Source, uint64_t ResidentWarps)
    : Source(Source), ResidentWarps(ResidentWarps),
      Extents(Source.sites().size(), {~uint64_t(0), 0}), ReadExtents(Extents),
      Stored(1 << 10) {}

std::string TouchedLines::add(uint64_t Block) {
  if (std::string Wrong = Source.block(Block, Scratch); !Wrong.empty())
    return Wrong;
  ++Blocks;
  LastAccesses = 0;
  LastOf.assign(Extents.size(), 0);
  for (const auto &Rest : Scratch.Rest)
    Partial |= Rest != nullptr;
  for (const WarpTrace &Warp : Scratch.Warps) {
    LastAccesses += Warp.size();
    ++Epoch;
    for (const LineAccess &A : Warp) {
      if (A.Sectors == 0 || A.Site >= Extents.size())
        continue;
      ++LastOf[A.Site];
      auto &[At, Since] = Stored[mixed(A.Line) >> 32 & (Stored.size() - 1)];
      const bool Own = Since == Epoch && At == A.Line;
      if (A.What == LineAccess::Kind::Store) {
        At = A.Line;
        Since = Epoch;
      }
      const auto widen = [&](Extent &E) {
        E.first = std::min(E.first, A.Line);
        E.second = std::max(E.second, A.Line);
      };
      widen(A.Local ? Local : Extents[A.Site]);
      if (A.What == LineAccess::Kind::Load && !Own)
        widen(A.Local ? LocalRead : ReadExtents[A.Site]);
    }
  }
  Accesses += LastAccesses;
  return "";
}

uint64_t TouchedLines::blockAt(const BlockIndex &At) const {
  const LaunchShape &Shape = Source.shape();
  return At[0] + Shape.Grid[0] * (At[1] + At[2] * Shape.Grid[1]);
}

/// Moves \p At towards \p To in one dimension, as far as blocks access
/// anything.
std::string TouchedLines::moveToEdge(BlockIndex &At, unsigned D, uint64_t To) {
  // Blocks from Idle on are known to do nothing.
  std::optional<uint64_t> Idle;
  while (At[D] != To) {
    BlockIndex Tried = At;
    Tried[D] = To;
    if (std::string Wrong = add(blockAt(Tried)); !Wrong.empty())
      return Wrong;
    if (LastAccesses != 0)
      At = Tried;
    else
      Idle = To;
    if (!Idle)
      break;
    // Rounded towards At, which ends the search there.
    To = At[D] < *Idle ? At[D] + (*Idle - At[D]) / 2
                       : At[D] - (At[D] - *Idle) / 2;
  }
  return "";
}

std::string TouchedLines::addCorners() {
  const LaunchShape &Shape = Source.shape();
  const BlockIndex Middle = {Shape.Grid[0] / 2, Shape.Grid[1] / 2,
                             Shape.Grid[2] / 2};
  // Guards may leave blocks at the edges without any work.
  BlockIndex Low = Middle, High = Middle;
  for (unsigned D = 0; D != 3; ++D)
    for (bool IsHigh : {false, true}) {
      BlockIndex At = Middle;
      if (std::string Wrong = moveToEdge(At, D, IsHigh ? Shape.Grid[D] - 1 : 0);
          !Wrong.empty())
        return Wrong;
      (IsHigh ? High : Low)[D] = At[D];
    }
  std::set<uint64_t> Corners = {blockAt(Middle)};
  for (unsigned Corner = 0; Corner != 8; ++Corner) {
    BlockIndex At;
    for (unsigned D = 0; D != 3; ++D)
      At[D] = (Corner >> D & 1 ? High : Low)[D];
    Corners.insert(blockAt(At));
  }
  for (uint64_t Block : Corners)
    if (std::string Wrong = add(Block); !Wrong.empty())
      return Wrong;
  return "";
}

std::string TouchedLines::compareBlocks(bool &Alike) {
  // Not in step with any row of blocks, so that few are at an edge.
  constexpr unsigned Looked = stopping::ComparedBlocks;
  std::vector<uint64_t> Least, Most; // by site
  uint64_t LeastOfAll = ~uint64_t(0), MostOfAll = 0;
  for (uint64_t I = 1; I <= Looked; ++I) {
    const LaunchShape &Shape = Source.shape();
    uint64_t Block =
        uint64_t(double(Shape.blocks()) * double(I) / (Looked + 1));
    const uint64_t X = Shape.Grid[0] * (2 * I + 1) / (2 * Looked + 4);
    Block = Block / Shape.Grid[0] * Shape.Grid[0] + X;
    if (std::string Wrong = add(Block); !Wrong.empty())
      return Wrong;
    if (I == 1)
      Least = Most = LastOf;
    for (size_t Site = 0; Site != LastOf.size(); ++Site) {
      Least[Site] = std::min(Least[Site], LastOf[Site]);
      Most[Site] = std::max(Most[Site], LastOf[Site]);
    }
    LeastOfAll = std::min(LeastOfAll, LastAccesses);
    MostOfAll = std::max(MostOfAll, LastAccesses);
  }
  const double Bound = stopping::MostBlockDifference * double(LeastOfAll);
  Alike = double(MostOfAll - LeastOfAll) <= Bound;
  for (size_t Site = 0; Site != Least.size(); ++Site)
    Alike &= double(Most[Site] - Least[Site]) <= Bound;
  return "";
}

uint64_t TouchedLines::unionOf(std::vector<Extent> Sorted) {
  std::sort(Sorted.begin(), Sorted.end());
  uint64_t Lines = 0, Next = 0; // the first line not yet counted
  for (const auto &[Low, High] : Sorted) {
    if (Low > High)
      continue;
    const uint64_t From = std::max(Low, Next);
    if (High >= From) {
      Lines += High - From + 1;
      Next = High + 1;
    }
  }
  return Lines;
}

bool reuse::boundMisses(std::vector<Traffic> &Sites,
                        const TouchedLines &Touched,
                        const CacheOptions &Options) {
  return Touched.accessesPerBlock() > 0 && !Touched.isPartial() &&
         boundMisses(Sites, Touched.lines(), Touched.readLines(), Options);
}

bool reuse::boundMisses(std::vector<Traffic> &Sites, uint64_t Lines,
                        uint64_t ReadLines, const CacheOptions &Options) {
  if (Lines * LineBytes > Options.L2.CapacityBytes / Options.Partitions)
    return false;
  Traffic All;
  for (const Traffic &T : Sites)
    All += T;
  constexpr unsigned LineSectors = LineBytes / SectorBytes;
  const double Sectors = double(ReadLines) * LineSectors;
  const double Misses = All.L2ReadSectors - All.L2ReadHits;
  const auto kept = [](double Most, double Of) {
    return Of > 0 ? std::min(1.0, Most / Of) : 1;
  };
  const double KeepDram = kept(Sectors, All.DramReadSectors);
  // What is fetched from DRAM too often misses L2 too often, on either side.
  const double Keep =
      std::min(kept(Sectors * Options.Partitions, Misses), KeepDram);
  for (Traffic &T : Sites) {
    T.L2ReadHits += (1 - Keep) * (T.L2ReadSectors - T.L2ReadHits);
    T.DramReadSectors *= KeepDram;
  }
  return Keep < 1 || KeepDram < 1;
}

//===- TraceWindows.cpp - Long loops whose rounds are alike ---------------===//

#include "analyzer/reuse/TraceWindows.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <unordered_map>

using namespace warpwise;
using namespace warpwise::reuse;

namespace {

/// Windows of fewer accesses say little.
constexpr size_t LeastAccesses = 64;

/// What one site does in a window.
struct SiteUse {
  double Accesses = 0;
  double NewSectors = 0; ///< that the warp had not touched before
};

bool near(double A, double B) {
  // The edges of sectors and windows seldom fall together, and then one request
  // more or less has a new sector for each lane.
  constexpr double Share = 0.03, Edges = 32;
  return std::abs(A - B) <= std::max(Edges, Share * std::max(A, B));
}

bool windowsAreAlike(const WarpTrace &Trace, unsigned Windows, size_t Sites) {
  if (Trace.size() < Windows * LeastAccesses)
    return false;
  std::vector<std::vector<SiteUse>> Uses(Windows, std::vector<SiteUse>(Sites));
  std::unordered_map<uint64_t, uint8_t> Touched; // sectors by line
  for (size_t I = 0; I != Trace.size(); ++I) {
    const Access &A = Trace[I];
    if (A.Site >= Sites)
      return false;
    SiteUse &Use = Uses[I * Windows / Trace.size()][A.Site];
    ++Use.Accesses;
    uint8_t &Known = Touched[A.Line];
    Use.NewSectors += std::popcount(unsigned(A.Sectors & ~Known));
    Known |= A.Sectors;
  }
  // The first window has what precedes the loop and begins with nothing.
  for (size_t Site = 0; Site != Sites; ++Site)
    for (unsigned W = 2; W < Windows; ++W) {
      const SiteUse &One = Uses[1][Site], &Other = Uses[W][Site];
      if (!near(One.Accesses, Other.Accesses) ||
          !near(One.NewSectors, Other.NewSectors))
        return false;
    }
  return true;
}

} // namespace

std::string reuse::compareWindows(TraceSource &Source, unsigned Windows,
                                  bool &Alike) {
  Alike = false;
  const uint64_t Blocks = Source.shape().blocks();
  const size_t Sites = Source.sites().size();
  BlockTrace Trace;
  for (uint64_t Block : {uint64_t(0), Blocks / 2, Blocks - 1}) {
    if (std::string Wrong = Source.block(Block, Trace); !Wrong.empty())
      return Wrong;
    if (!Trace.Rest.empty() || Trace.Warps.empty())
      return "";
    const size_t Size = Trace.Warps.front().size();
    for (const WarpTrace &Warp : Trace.Warps)
      if (!near(double(Warp.size()), double(Size)))
        return "";
    const size_t Warp = Block == 0 ? 0 : Trace.Warps.size() - 1;
    if (!windowsAreAlike(Trace.Warps[Warp], Windows, Sites))
      return "";
  }
  Alike = true;
  return "";
}

bool reuse::sameMisses(const Traffic &A, const Traffic &B) {
  // SMs that drift apart merge less and less of their misses.
  constexpr double MostL1 = 0.03, MostL2 = 0.1;
  const auto same = [](double X, double Y, double Share, double Of) {
    return std::abs(X - Y) <= Share * std::max({std::abs(X), std::abs(Y), Of});
  };
  const double Reads = std::max(A.L2ReadSectors, B.L2ReadSectors);
  return same(A.LoadHits, B.LoadHits, MostL1, 0) &&
         same(A.L2ReadSectors, B.L2ReadSectors, MostL2, 0) &&
         same(A.L2ReadHits, B.L2ReadHits, MostL2, Reads) &&
         same(A.DramReadSectors, B.DramReadSectors, MostL2, 0.5 * Reads);
}

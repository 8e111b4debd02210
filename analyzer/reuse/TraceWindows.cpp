//===- TraceWindows.cpp - Long loops whose rounds are alike ---------------===//

#include "analyzer/reuse/TraceWindows.h"

#include "analyzer/reuse/StoppingRules.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <optional>
#include <unordered_map>

using namespace warpwise;
using namespace warpwise::reuse;

namespace {

/// What one site does in a window, or at most with one request.
struct SiteUse {
  double Accesses = 0;
  double NewSectors = 0; ///< that the warp had not touched before
};

/// What each site does in each window.
std::optional<std::vector<std::vector<SiteUse>>>
usesOf(const WarpTrace &Trace, unsigned Windows, size_t Sites,
       std::vector<SiteUse> &OfRequest) {
  std::vector<std::vector<SiteUse>> Uses(Windows, std::vector<SiteUse>(Sites));
  OfRequest.assign(Sites, SiteUse());
  std::unordered_map<uint64_t, uint8_t> Touched; // sectors by line
  SiteUse Request;
  for (size_t I = 0; I != Trace.size(); ++I) {
    const LineAccess &A = Trace[I];
    if (A.Site >= Sites)
      return std::nullopt;
    uint8_t &Known = Touched[A.Line];
    const double New = std::popcount(unsigned(A.Sectors & ~Known));
    Known |= A.Sectors;
    SiteUse &Use = Uses[I * Windows / Trace.size()][A.Site];
    ++Use.Accesses;
    Use.NewSectors += New;
    ++Request.Accesses;
    Request.NewSectors += New;
    if (A.Last) {
      SiteUse &Most = OfRequest[A.Site];
      Most.Accesses = std::max(Most.Accesses, Request.Accesses);
      Most.NewSectors = std::max(Most.NewSectors, Request.NewSectors);
      Request = SiteUse();
    }
  }
  return Uses;
}

/// Whether the windows [1, Of.size()) have as much, and those that are
/// simulated as much as all. The edges of sectors and windows seldom fall
/// together, so that a window may have a request, with \p OfRequest, more or
/// less than others; then it needs more than one. What is little \p Beside the
/// rest does not matter.
bool isSteady(const std::vector<double> &Of, double OfRequest, double Beside) {
  using namespace stopping;
  const auto meanUntil = [&](size_t End) {
    return std::accumulate(Of.begin() + 1, Of.begin() + ptrdiff_t(End), 0.0) /
           double(End - 1);
  };
  const double All = meanUntil(Of.size());
  const auto isNear = [&](double Each) {
    return std::abs(Each - All) <=
           std::max(OfRequest, MostWindowDifference * All);
  };
  if (All <= LittleOfWindow * Beside)
    return true;
  return All >= LeastRequestsOfWindow * OfRequest &&
         std::all_of(Of.begin() + 1, Of.end(), isNear) &&
         std::abs(All - meanUntil(SimulatedWindows)) <=
             std::max(MostWindowDifference * All, LittleOfWindow * Beside);
}

bool windowsAreAlike(const WarpTrace &Trace, unsigned Windows, size_t Sites) {
  if (Trace.size() < Windows * stopping::LeastWarpAccessesOfWindow)
    return false;
  std::vector<SiteUse> OfRequest;
  const auto Uses = usesOf(Trace, Windows, Sites, OfRequest);
  if (!Uses)
    return false;
  double NewSectors = 0;
  for (unsigned W = 1; W != Windows; ++W)
    for (const SiteUse &Use : (*Uses)[W])
      NewSectors += Use.NewSectors / (Windows - 1);
  for (size_t Site = 0; Site != Sites; ++Site) {
    std::vector<double> Accesses, New;
    for (const std::vector<SiteUse> &Window : *Uses) {
      Accesses.push_back(Window[Site].Accesses);
      New.push_back(Window[Site].NewSectors);
    }
    if (!isSteady(Accesses, OfRequest[Site].Accesses,
                  double(Trace.size()) / Windows) ||
        !isSteady(New, OfRequest[Site].NewSectors, NewSectors))
      return false;
  }
  return true;
}

} // namespace

TraceWindows TraceWindows::longer() const {
  if (All > stopping::LeastWindows)
    return {All / 2, Simulated};
  if (Simulated < stopping::MostSimulatedWindows)
    return {All, stopping::MostSimulatedWindows};
  return {};
}

std::vector<double> TraceWindows::weights() const {
  std::vector<double> Weights(Simulated, 1);
  const double Rest = double(All - Simulated) / stopping::StandingWindows;
  for (unsigned W = Simulated - stopping::StandingWindows; W != Simulated; ++W)
    Weights[W] += Rest;
  return Weights;
}

std::string reuse::findWindows(TraceSource &Source, double Accesses,
                               TraceWindows &Found) {
  Found = {};
  unsigned Windows = stopping::MostWindows;
  while (Windows > stopping::LeastWindows &&
         Accesses < Windows * stopping::LeastAccessesOfWindow)
    Windows /= 2;
  const uint64_t Blocks = Source.shape().blocks();
  const size_t Sites = Source.sites().size();
  BlockTrace Trace;
  for (uint64_t Block : {uint64_t(0), Blocks / 2, Blocks - 1}) {
    if (std::string Wrong = Source.block(Block, Trace); !Wrong.empty())
      return Wrong;
    if (!Trace.Rest.empty() || Trace.Warps.empty())
      return "";
    const auto [Least, Most] =
        std::minmax_element(Trace.Warps.begin(), Trace.Warps.end(),
                            [](const WarpTrace &A, const WarpTrace &B) {
                              return A.size() < B.size();
                            });
    if (double(Most->size() - Least->size()) >
        std::max(stopping::AccessesOfRequest,
                 stopping::MostWarpDifference * double(Most->size())))
      return "";
    const size_t Warp = Block == 0 ? 0 : Trace.Warps.size() - 1;
    while (!windowsAreAlike(Trace.Warps[Warp], Windows, Sites)) {
      if (Windows == stopping::LeastWindows)
        return "";
      Windows /= 2;
    }
  }
  Found = {Windows, stopping::SimulatedWindows};
  return "";
}

bool reuse::sameMisses(const Traffic &A, const Traffic &B) {
  using namespace stopping;
  const auto same = [](double X, double Y, double Share, double Of) {
    return std::abs(X - Y) <= Share * std::max({std::abs(X), std::abs(Y), Of});
  };
  const double Reads = std::max(A.L2ReadSectors, B.L2ReadSectors);
  return same(A.LoadHits, B.LoadHits, MostL1MissDifference, 0) &&
         same(A.L2ReadSectors, B.L2ReadSectors, MostL2MissDifference, 0) &&
         same(A.L2ReadHits, B.L2ReadHits, MostL2MissDifference, Reads) &&
         same(A.DramReadSectors, B.DramReadSectors, MostL2MissDifference,
              LittleDramOfWindow * Reads);
}

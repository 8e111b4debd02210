//===- IdleLanes.cpp - Threads that were launched for nothing -------------===//
//
// A warp takes as long for one lane as for 32, and a block holds room for warps
// that have left. Where the thread's number alone decides who works, the others
// need not be launched.
//
//===----------------------------------------------------------------------===//

#include "rules/Rule.h"
#include "rules/SiteVerdict.h"
#include "rules/Wording.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace warpwise;
using namespace warpwise::rules;
using access::Access;
using access::Cost;
using access::Space;

namespace {

/// As many of the threads of a launch work, as far as accesses tell.
struct Working {
  double Lanes = 0;  ///< of a warp's, the most in any access
  double Warps = 0;  ///< share of a block's
  double Blocks = 1; ///< share of the grid's
  bool IsSampled = false;

  double share() const { return Blocks * Warps * Lanes / access::WarpLanes; }
};

/// Half of what there is may be the shape of the problem; less is a mistake.
/// So is a triangle of a square's blocks, which is half of them and a diagonal.
constexpr double MostWorking = 0.501, MostBlocksWorking = 0.6;

unsigned warpsOf(const launch::Shape &S) {
  const unsigned Threads = S.Block[0] * S.Block[1] * S.Block[2];
  return (Threads + access::WarpLanes - 1) / access::WarpLanes;
}

/// Everything is known, but not all blocks were run: there is no interval.
bool isSampled(const Cost &C) {
  return C.State == access::Proof::Estimated && !C.Low && !C.DataDecides;
}

/// Where the memory starts may be open, but not who takes part.
bool isCertain(const Cost &C) {
  return C.State == access::Proof::Exact || C.State == access::Proof::Bounded ||
         isSampled(C);
}

/// Of the warps of all blocks, those that make requests of \p C.
double warpsOf(const Cost &C, const access::Kernel &K, unsigned Launch) {
  const double All = K.Works[Launch].Blocks * warpsOf(K.Launches[Launch]);
  return C.PerWarp > 0 ? C.Weight / C.PerWarp / All : 0;
}

/// Lanes and warps that some access is made by. One lane's work may be another
/// access than its neighbour's: then both have something to do.
class Workers {
  std::map<unsigned, uint32_t> Lanes; ///< by warp, as far as one was seen

public:
  void add(const Cost &C) { Lanes[C.First.Warp] |= C.First.ActiveMask; }

  /// Of the warp that has the most.
  unsigned lanes() const {
    unsigned Most = 0;
    for (const auto &[Warp, Mask] : Lanes)
      Most = std::max(Most, unsigned(std::popcount(Mask)));
    return Most;
  }

  /// The first request of all accesses is one warp's: of other warps, with
  /// other accesses, it would be another's.
  bool areOneWarps() const { return Lanes.size() <= 1; }
};

/// Nothing unless it holds whatever the arguments are: what data keeps from
/// work is no mistake of the launch.
std::optional<Working> workingUnder(const access::Kernel &K, unsigned Launch) {
  const access::Work &W = K.Works[Launch];
  if (!W.IsWholeGrid || !K.NotModelled.empty())
    return std::nullopt;
  Working Most;
  Workers All;
  for (const Access &A : K.Accesses) {
    if (A.Memory == Space::Local)
      continue;
    const Cost *C = costUnder(A, Launch);
    if (!C || !isCertain(*C) || C->PerWarp <= 0)
      return std::nullopt;
    All.add(*C);
    Most.Lanes = std::max(Most.Lanes, C->ActiveLanes);
    Most.IsSampled |= isSampled(*C);
    Most.Warps = std::max(Most.Warps, warpsOf(*C, K, Launch));
  }
  if (Most.Lanes <= 0)
    return std::nullopt;
  // A block of which no warp makes a request is one that does next to nothing,
  // but not the other way round.
  const double Idle = std::min(W.IdleBlocks, 1 - Most.Warps);
  Most.Blocks = 1 - std::max(0.0, Idle);
  Most.Warps = std::min(1.0, Most.Warps / Most.Blocks);
  // The others may have their part in what the block does together, or
  // elsewhere.
  if (K.HasBarriers || All.lanes() > std::ceil(Most.Lanes))
    Most.Lanes = access::WarpLanes;
  if (K.HasBarriers || !All.areOneWarps())
    Most.Warps = 1;
  return Most;
}

/// The rounds of a loop in which all warps of a block work, but never more than
/// half of the lanes of any, and wait for each other.
struct SparseRounds {
  const Access *Heaviest = nullptr;
  unsigned Lanes = 0; ///< at work in the fullest round
  bool IsSampled = false;
};

/// Of what a launch requests, so much is asked for in such rounds: what else
/// there is brings their input and takes their results away.
constexpr double MostlyThere = 0.75;

/// One lane of a warp stands for the others, in what the warp finds together.
constexpr unsigned FewestLanes = 4;

/// All but those that have no partner in some round.
constexpr double NearlyAllWarps = 0.9;

/// Instructions for each request, at most: with more of them lanes compute that
/// make no request.
constexpr double MostBeside = 16;

double instructionsOf(const access::Kernel &K, unsigned Launch) {
  const auto &Issued = K.Works[Launch].Issued;
  return std::accumulate(Issued.begin(), Issued.end(), 0.0);
}

/// As many lanes as were seen at work in a request of \p C, and no fewer than
/// are on average. Those that data keep away are counted as if they came.
unsigned lanesAtWork(const Cost &C) {
  const unsigned Seen = C.Worst ? std::popcount(C.Worst->ActiveMask) : 0;
  return std::max(Seen, unsigned(std::ceil(C.ActiveLanes)));
}

std::optional<SparseRounds> sparseRounds(const access::Kernel &K,
                                         unsigned Launch) {
  if (!K.HasBarriers || !K.NotModelled.empty())
    return std::nullopt;
  SparseRounds Found;
  Workers Busy;
  double Sparse = 0, All = 0, Heaviest = 0;
  for (const Access &A : K.Accesses) {
    if (A.Memory == Space::Local || A.Memory == Space::Constant)
      continue;
    const Cost *C = costUnder(A, Launch);
    if (!C || !(isCertain(*C) || C->DataDecides))
      return std::nullopt;
    All += C->Weight;
    const unsigned Lanes = lanesAtWork(*C);
    if (!A.LoopDepth || Lanes < FewestLanes || Lanes > access::WarpLanes / 2)
      continue;
    // Who takes part by what data say takes part here as if all did.
    if (!C->DataDecides && warpsOf(*C, K, Launch) < NearlyAllWarps)
      continue;
    Busy.add(*C);
    Sparse += C->Weight;
    Found.Lanes = std::max(Found.Lanes, Lanes);
    Found.IsSampled |= isSampled(*C);
    if (C->Weight > Heaviest && !C->DataDecides) {
      Heaviest = C->Weight;
      Found.Heaviest = &A;
    }
  }
  if (!Found.Heaviest || Sparse < MostlyThere * All ||
      Busy.lanes() > Found.Lanes ||
      instructionsOf(K, Launch) > MostBeside * All)
    return std::nullopt;
  return Found;
}

class IdleLanes : public Rule {
  void check(const access::Kernel &Kernel, const profile::Profile &,
             const Sink &Report) const override {
    reportIdle(Kernel, Report);
    reportRounds(Kernel, Report);
  }

  static void reportIdle(const access::Kernel &Kernel, const Sink &Report) {
    // A launch may be larger than its problem; that all are is no accident.
    std::optional<std::pair<unsigned, Working>> Busiest;
    for (unsigned N = 0; N != Kernel.Works.size(); ++N) {
      if (!isKnown(Kernel.Launches[N]))
        continue;
      const auto Its = workingUnder(Kernel, N);
      if (!Its)
        return;
      if (!Busiest || Its->share() > Busiest->second.share())
        Busiest = {N, *Its};
    }
    if (!Busiest)
      return;
    const auto &[N, Its] = *Busiest;
    const unsigned Warps = warpsOf(Kernel.Launches[N]);
    const double AllWarps = Kernel.Works[N].Blocks * Warps;
    if (AllWarps <= 1)
      return; // fewer there are not
    const bool BlocksIdle = Its.Blocks <= MostBlocksWorking;
    if (!BlocksIdle && Its.share() > MostWorking)
      return;
    const double IdleWarps = std::round(Warps * (1 - Its.Warps));
    const bool WarpsIdle = IdleWarps > 0 && IdleWarps < Warps;
    const double Lanes = Its.Lanes / access::WarpLanes;
    const bool LanesIdle = Lanes <= MostWorking;
    std::vector<std::string> Idle;
    price::Reshape Cured;
    if (LanesIdle) {
      Idle.push_back(fmt::format("{} of {} lanes of each warp",
                                 number(access::WarpLanes - Its.Lanes),
                                 access::WarpLanes));
      Cured.Blocks = Lanes;
      Cured.Lanes = 1 / Lanes;
    }
    if (WarpsIdle) {
      Idle.push_back(fmt::format("{} of {} warps of each block",
                                 number(IdleWarps), Warps));
      Cured.Blocks *= Its.Warps;
    }
    if (BlocksIdle) {
      const double Blocks = Kernel.Works[N].Blocks;
      const double Share = 1 - Its.Blocks;
      Idle.push_back(Its.IsSampled
                         ? fmt::format("{:.0f} % of {} blocks", 100 * Share,
                                       number(Blocks))
                         : fmt::format("{} of {} blocks",
                                       number(std::round(Blocks * Share)),
                                       number(Blocks)));
      Cured.IdleBlocks = 0;
    }
    if (!Idle.empty())
      Report(describe(Kernel, N, fmt::format("{}", fmt::join(Idle, " and ")),
                      Its, 1 / (Cured.Blocks * (BlocksIdle ? Its.Blocks : 1))),
             {N, {}, Cured});
  }

  static advice::Finding describe(const access::Kernel &Kernel, unsigned Launch,
                                  std::string_view Idle, const Working &Its,
                                  double Fewer) {
    advice::Finding F;
    F.Where = Kernel.Where;
    F.Kernel = Kernel.Name;
    F.State = Its.IsSampled ? access::Proof::Estimated : access::Proof::Exact;
    F.Message = fmt::format("{} have nothing to do", Idle);
    addNote(F, "no access of the kernel is made by more of them, whatever the "
               "data are");
    addLaunchedHere(F, Kernel.Launches[Launch]);
    const launch::Dim3 &Block = Kernel.Launches[Launch].Block;
    // Of such blocks there are no threads too many.
    if (Block[0] * Block[1] * Block[2] <= Its.Lanes)
      F.Remedy = fmt::format("let a block do what {} of these blocks do, each "
                             "lane the work of one",
                             number(Fewer));
    else
      F.Remedy = fmt::format("launch no more threads than work: number the "
                             "work by the thread, so that {} times fewer do it",
                             number(Fewer));
    return F;
  }

  static void reportRounds(const access::Kernel &Kernel, const Sink &Report) {
    std::optional<std::pair<unsigned, SparseRounds>> Fullest;
    for (unsigned N = 0; N != Kernel.Works.size(); ++N) {
      if (!isKnown(Kernel.Launches[N]))
        continue;
      const auto Its = sparseRounds(Kernel, N);
      if (!Its)
        return;
      if (!Fullest || Its->Lanes > Fullest->second.Lanes)
        Fullest = {N, *Its};
    }
    if (!Fullest)
      return;
    const auto &[N, Its] = *Fullest;
    const double Share = Its.Lanes / double(access::WarpLanes);
    advice::Finding F;
    F.Where = Its.Heaviest->Where;
    F.Kernel = Kernel.Name;
    F.State = Its.IsSampled ? access::Proof::Estimated : access::Proof::Exact;
    F.Message = fmt::format("{} of {} lanes of each warp have nothing to do in "
                            "the rounds of this loop",
                            access::WarpLanes - Its.Lanes, access::WarpLanes);
    addNote(F, "all warps of a block take part, and wait for each other; in no "
               "round have more lanes an access");
    addLaunchedHere(F, Kernel.Launches[N]);
    F.Remedy = fmt::format("number the work of a round by the thread, so that "
                           "neighbouring lanes do it, all of them: {} times "
                           "fewer threads are enough",
                           number(1 / Share));
    price::Reshape Cured;
    Cured.BlockThreads = Share;
    Cured.Lanes = 1 / Share;
    Report(F, {N, {}, Cured});
  }
};

REGISTER_RULE(IdleLanes);

} // namespace

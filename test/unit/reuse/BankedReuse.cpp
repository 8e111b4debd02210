//===- BankedReuse.cpp - Distances in parallel caches ---------------------===//

#include "BankedReuse.h"

#include <algorithm>
#include <tuple>

using namespace warpwise;
using namespace warpwise::reuse;

namespace {

using Outcome = BankedAccess::Outcome;

struct Wanted {
  unsigned Warp;
  uint64_t Line;
};

/// A miss under way. Its register is free again in the step at whose end the
/// data arrives; this is what the paper's Table 3 shows.
struct Mshr {
  uint64_t Line;
  unsigned FreeAt;
  unsigned Merges;
};

class Analysis {
public:
  explicit Analysis(const BankedCache &Cache)
      : Cache(Cache), Stacks(Cache.Banks) {}

  void issue(std::vector<Wanted> Group) {
    while (!Group.empty()) {
      step(Group);
      ++Result.Steps;
    }
  }

  BankedResult Result;

private:
  /// All of the group that find a port access their bank; those that fail to
  /// reserve a register stay.
  void step(std::vector<Wanted> &Group) {
    std::erase_if(Misses,
                  [&](const Mshr &M) { return M.FreeAt <= Result.Steps; });
    std::vector<unsigned> PortsUsed(Cache.Banks, 0);
    std::vector<std::pair<unsigned, size_t>> Chosen; // bank, place in Group
    for (size_t I = 0; I != Group.size(); ++I)
      if (const unsigned Bank = Cache.BankOf(Group[I].Line);
          PortsUsed[Bank]++ < Cache.Ports)
        Chosen.push_back({Bank, I});
    // Registers go to the smaller warp first, then to the smaller bank.
    std::sort(Chosen.begin(), Chosen.end(), [&](const auto &A, const auto &B) {
      return std::tuple(Group[A.second].Warp, A) <
             std::tuple(Group[B.second].Warp, B);
    });
    std::vector<bool> Done(Group.size(), false);
    std::vector<std::vector<BankedAccess>> OfBank(Cache.Banks);
    for (const auto &[Bank, I] : Chosen) {
      OfBank[Bank].push_back(access(Group[I], Bank));
      Done[I] = OfBank[Bank].back().What != Outcome::ReservationFail;
    }
    for (const std::vector<BankedAccess> &Accesses : OfBank)
      Result.Accesses.insert(Result.Accesses.end(), Accesses.begin(),
                             Accesses.end());
    Result.FreeMshrs.push_back(Cache.Mshrs - unsigned(Misses.size()));
    std::vector<Wanted> Left;
    for (size_t I = 0; I != Group.size(); ++I)
      if (!Done[I])
        Left.push_back(Group[I]);
    Group = std::move(Left);
  }

  BankedAccess access(const Wanted &W, unsigned Bank) {
    std::vector<uint64_t> &Stack = Stacks[Bank]; // the top first
    const auto At = std::find(Stack.begin(), Stack.end(), W.Line);
    const uint32_t Distance =
        At == Stack.end() ? ReuseHistogram::Cold : uint32_t(At - Stack.begin());
    Outcome What = Distance < Cache.Ways ? Outcome::Hit : Outcome::Miss;
    const auto Under =
        std::find_if(Misses.begin(), Misses.end(),
                     [&](const Mshr &M) { return M.Line == W.Line; });
    if (Under != Misses.end())
      What = Under->Merges++ < Cache.MshrMerges ? Outcome::Merged
                                                : Outcome::ReservationFail;
    else if (What == Outcome::Miss && Misses.size() >= Cache.Mshrs)
      What = Outcome::ReservationFail;
    else if (What == Outcome::Miss)
      Misses.push_back(
          {W.Line, Result.Steps + std::max(1u, Cache.LatencySteps) - 1, 0});
    const bool Served = What != Outcome::ReservationFail;
    if (Served) {
      if (At != Stack.end())
        Stack.erase(At);
      Stack.insert(Stack.begin(), W.Line);
    }
    return {What,   Result.Steps,
            Bank,   W.Warp,
            W.Line, Served ? std::optional(Distance) : std::nullopt};
  }

  const BankedCache &Cache;
  std::vector<std::vector<uint64_t>> Stacks;
  std::vector<Mshr> Misses;
};

} // namespace

BankedResult
reuse::analyzeBanked(const BankedCache &Cache,
                     const std::vector<std::vector<uint64_t>> &Warps) {
  Analysis A(Cache);
  for (size_t First = 0; First < Warps.size(); First += Cache.Schedulers) {
    std::vector<Wanted> Group;
    for (size_t W = First;
         W < std::min<size_t>(First + Cache.Schedulers, Warps.size()); ++W)
      for (uint64_t Line : Warps[W])
        Group.push_back({unsigned(W), Line});
    A.issue(std::move(Group));
  }
  return std::move(A.Result);
}

//===- Siblings.cpp - Accesses that share sectors -------------------------===//

#include "analyzer/evaluate/Siblings.h"

#include "profiler/warp/WarpCost.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <bit>
#include <set>
#include <tuple>

namespace warpwise::access {
namespace {

/// Executions of a segment for which siblings are compared, and their requests;
/// the pattern of a group does not change after that, or it is no group.
constexpr unsigned MostExecutions = 64, MostRequests = 1024;

/// Rounds of a loop that are compared with the one before.
constexpr unsigned MostComparisons = 64;

/// Bytes that lie between \p From and \p To, at the first active lane.
int64_t distance(const Siblings::Addresses &From, const Siblings::Addresses &To,
                 uint32_t Active) {
  const int Lane = std::countr_zero(Active);
  return int64_t(To[Lane] - From[Lane]);
}

/// Whether all lanes of \p Active lie equally far from where they were.
bool isShifted(const Siblings::Addresses &From, const Siblings::Addresses &To,
               uint32_t Active) {
  const int64_t Distance = distance(From, To, Active);
  for (uint32_t Left = Active; Left != 0; Left &= Left - 1)
    if (distance(From, To, Left) != Distance)
      return false;
  return true;
}

/// Bytes from the first that a request accesses to the last.
uint64_t extent(const Siblings::Addresses &At, uint32_t Active,
                unsigned Bytes) {
  uint64_t Lowest = ~uint64_t(0), Highest = 0;
  for (uint32_t Left = Active; Left != 0; Left &= Left - 1) {
    Lowest = std::min(Lowest, At[std::countr_zero(Left)]);
    Highest = std::max(Highest, At[std::countr_zero(Left)]);
  }
  return Highest - Lowest + Bytes;
}

} // namespace

Siblings::Siblings(const Program &Code, const profile::RequestLaw &Law)
    : Code(Code), Law(Law), Sums(Code.Sites.size()),
      Leader(Code.Sites.size(), NoSlot), Windows(Code.Sites.size()),
      InLoop(Code.Loops.size()) {
  for (const Site &S : Code.Sites) {
    if (S.Segment < 0 || S.Memory != Space::Global)
      continue;
    if (size_t(S.Segment) >= Segments.size())
      Segments.resize(S.Segment + 1, {0, MostExecutions, MostRequests});
    Segment &Of = Segments[S.Segment];
    ++Of.Sites;
    Of.Unrolled |= S.UnrolledIn >= 0;
  }
}

void Siblings::request(uint32_t Number, const Addresses &A, uint32_t Active,
                       double Weight) {
  const Site &S = Code.Sites[Number];
  // One lane alone is at a constant distance from everything.
  if (S.Memory != Space::Global || std::popcount(Active) < 2)
    return;
  if (S.LoopDepth > 0)
    compareRounds(Number, A, Active);
  if (S.Segment < 0)
    return;
  const Segment &Of = Segments[S.Segment];
  if ((Of.Sites < 2 && !Of.Unrolled) || Of.Executions == 0)
    return;
  std::vector<Request> &Into =
      S.UnrolledIn < 0 ? InBlock : InLoop[S.UnrolledIn];
  if (Into.empty() && S.UnrolledIn >= 0)
    OpenLoops.push_back(S.UnrolledIn);
  Into.push_back({Number, Active, uint32_t(Into.size()), Weight, A});
}

double Siblings::repeats(uint32_t Number) const {
  const Window &W = Windows[Number];
  return W.Comparisons ? double(W.Same) / W.Comparisons : 0;
}

void Siblings::startWarp() {
  for (Window &W : Windows)
    W.Active = 0;
}

void Siblings::compareRounds(uint32_t Number, const Addresses &A,
                             uint32_t Active) {
  Window &W = Windows[Number];
  if (W.Comparisons == MostComparisons)
    return;
  if (W.Active != 0) {
    ++W.Comparisons;
    if (W.Active == Active && isShifted(W.At, A, Active)) {
      const int64_t Step = distance(W.At, A, Active);
      const uint64_t Moved = Step < 0 ? -uint64_t(Step) : uint64_t(Step);
      W.Same += Moved == 0;
      W.Slides |=
          Moved > 0 && Moved < extent(A, Active, Code.Sites[Number].Bytes);
    }
  }
  W.Active = Active;
  W.At = A;
}

void Siblings::endOfBlock(uint32_t Number) {
  if (!InBlock.empty())
    join(InBlock);
  const BlockCode &Block = Code.Blocks[Number];
  std::erase_if(OpenLoops, [&](int32_t Loop) {
    if (Block.End != BlockCode::Ending::None &&
        isWithin(Code.Loops, Block.Loop, Loop))
      return false;
    join(InLoop[Loop]);
    return true;
  });
}

/// Joins what belongs together in \p Requests, and empties it.
void Siblings::join(std::vector<Request> &Requests) {
  std::sort(Requests.begin(), Requests.end(),
            [&](const Request &A, const Request &B) {
              return std::tuple(Code.Sites[A.Site].Segment, A.Site, A.Order) <
                     std::tuple(Code.Sites[B.Site].Segment, B.Site, B.Order);
            });
  for (size_t First = 0; First != Requests.size();) {
    const int Number = Code.Sites[Requests[First].Site].Segment;
    size_t End = First;
    while (End != Requests.size() &&
           Code.Sites[Requests[End].Site].Segment == Number)
      ++End;
    Segment &Of = Segments[Number];
    --Of.Executions;
    Of.Requests -= std::min(Of.Requests, unsigned(End - First));
    if (Of.Requests == 0)
      Of.Executions = 0;
    joinSegment(std::span(Requests).subspan(First, End - First));
    First = End;
  }
  Requests.clear();
}

bool Siblings::differByConstant(const Request &A, const Request &B) {
  return A.Active == B.Active && isShifted(A.At, B.At, A.Active);
}

/// True when the rounds of a site cannot be its siblings: each has a pattern of
/// its own, or they lead on and on.
bool Siblings::walksFar(std::span<const Request> OfSite) const {
  std::vector<int64_t> Starts;
  for (const Request &R : OfSite) {
    if (!differByConstant(OfSite.front(), R))
      return true;
    Starts.push_back(distance(OfSite.front().At, R.At, R.Active));
  }
  std::sort(Starts.begin(), Starts.end());
  const int64_t Bytes = Code.Sites[OfSite.front().Site].Bytes;
  int64_t Begin = Starts.front();
  for (size_t N = 1; N != Starts.size(); ++N) {
    if (Starts[N] - Starts[N - 1] > int64_t(Law.SectorBytes))
      Begin = Starts[N]; // another row
    // What the rounds of a loop take from L1 has to be there still: a lane that
    // walks on beyond a line of the cache is alone.
    if (Starts[N] + Bytes - Begin > int64_t(Law.LineBytes))
      return true;
  }
  return false;
}

/// \p Requests are of one segment, sorted by site, each site's in their order.
void Siblings::joinSegment(std::span<Request> Requests) {
  Segment &Of = Segments[Code.Sites[Requests.front().Site].Segment];
  std::vector<std::span<Request>> BySite;
  unsigned Rounds = 1;
  for (size_t First = 0; First != Requests.size();) {
    size_t End = First;
    while (End != Requests.size() && Requests[End].Site == Requests[First].Site)
      ++End;
    BySite.push_back(Requests.subspan(First, End - First));
    Rounds = std::max(Rounds, unsigned(End - First));
    First = End;
  }
  if (!Of.RoundByRound && Rounds > 1 &&
      std::any_of(BySite.begin(), BySite.end(),
                  [&](std::span<Request> Own) { return walksFar(Own); })) {
    Of.RoundByRound = true;
    for (const std::span<Request> Own : BySite)
      forget(Own.front().Site);
  }
  if (!Of.RoundByRound)
    return joinRounds(Requests, Rounds);
  for (unsigned Round = 0; Round != Rounds; ++Round) {
    std::vector<Request> Now;
    for (const std::span<Request> Own : BySite)
      if (Round < Own.size())
        Now.push_back(Own[Round]);
    joinRounds(Now, 1);
  }
}

/// Who follows whom: decided at the first execution, withdrawn when a later one
/// disagrees.
void Siblings::chooseLeaders(std::span<const Request> Requests) {
  for (size_t N = 0; N != Requests.size(); ++N) {
    const uint32_t Me = Requests[N].Site;
    if (Leader[Me] == NoSlot) {
      for (size_t M = 0; M != N && Leader[Me] == NoSlot; ++M)
        if (Leader[Requests[M].Site] == Requests[M].Site &&
            differByConstant(Requests[M], Requests[N]))
          Leader[Me] = Requests[M].Site;
      if (Leader[Me] == NoSlot)
        Leader[Me] = Me;
      continue;
    }
    const uint32_t Mine = Leader[Me];
    for (size_t M = 0; M != N; ++M)
      if (Mine != Me && Requests[M].Site == Mine &&
          !differByConstant(Requests[M], Requests[N])) {
        forget(Mine);
        Leader[Me] = Me;
        break;
      }
  }
}

/// What was counted for the members of \p Group was counted for another group.
void Siblings::forget(uint32_t Group) {
  for (size_t N = 0; N != Leader.size(); ++N)
    if (Leader[N] == Group)
      Sums[N] = {};
}

/// \p Requests are siblings if they differ by constants. Each site made up to
/// \p Rounds of them.
void Siblings::joinRounds(std::span<Request> Requests, unsigned Rounds) {
  chooseLeaders(Requests);
  for (size_t N = 0; N != Requests.size(); ++N) {
    const uint32_t Group = Requests[N].Site;
    if (Leader[Group] != Group || (N > 0 && Requests[N - 1].Site == Group))
      continue;
    std::vector<uint64_t> Sectors;
    std::vector<std::pair<uint64_t, uint64_t>> Ranges;
    std::vector<uint32_t> Members;
    unsigned Joined = 0;
    std::set<std::pair<int64_t, unsigned>> Different; // from the first
    uint64_t OfOne = 0; // what the dearest of them needs for itself
    for (const Request &R : Requests) {
      if (Leader[R.Site] != Group)
        continue;
      ++Joined;
      if (Members.empty() || Members.back() != R.Site)
        Members.push_back(R.Site);
      const unsigned Bytes = Code.Sites[R.Site].Bytes;
      Different.emplace(distance(Requests[N].At, R.At, R.Active), Bytes);
      OfOne = std::max<uint64_t>(
          OfOne, warp::idealSectors(Law, R.At, R.Active, Bytes));
      for (uint32_t Left = R.Active; Left != 0; Left &= Left - 1) {
        const uint64_t At = R.At[std::countr_zero(Left)];
        Ranges.emplace_back(At, At + Bytes);
        const uint64_t Last = (At + Bytes - 1) / Law.SectorBytes;
        for (uint64_t S = At / Law.SectorBytes; S <= Last; ++S)
          Sectors.push_back(S);
      }
    }
    if (Joined < 2)
      continue;
    std::sort(Sectors.begin(), Sectors.end());
    const size_t Touched =
        std::unique(Sectors.begin(), Sectors.end()) - Sectors.begin();
    std::sort(Ranges.begin(), Ranges.end());
    uint64_t Bytes = 0, Reached = 0;
    for (const auto &[From, To] : Ranges) {
      Bytes += To - std::min(To, std::max(From, Reached));
      Reached = std::max(Reached, To);
    }
    const double Weight = Requests[N].Weight;
    for (uint32_t Member : Members) {
      SiblingSums &S = Sums[Member];
      S.Requests += Weight * Rounds;
      S.Rounds += Weight;
      S.Joined += Weight * Joined;
      S.Different += Weight * double(Different.size());
      S.Sectors += Weight * double(Touched);
      S.IdealSectors +=
          Weight * double(std::max<uint64_t>(
                       OfOne, llvm::divideCeil(Bytes, Law.SectorBytes)));
    }
  }
}

std::optional<unsigned> Siblings::groupOf(uint32_t Site) const {
  if (Leader[Site] == NoSlot || Sums[Site].Requests == 0)
    return std::nullopt;
  return Leader[Site];
}

void Siblings::scale(double Factor) {
  for (SiblingSums &S : Sums)
    for (double *Sum : {&S.Requests, &S.Sectors, &S.IdealSectors, &S.Rounds,
                        &S.Joined, &S.Different})
      *Sum *= Factor;
}

void Siblings::take(uint32_t Site, const Siblings &Other) {
  Sums[Site] = Other.Sums[Site];
  Leader[Site] = Other.Leader[Site];
  Windows[Site] = Other.Windows[Site];
}

} // namespace warpwise::access

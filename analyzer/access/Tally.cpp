//===- Tally.cpp - Sums over the requests of a run ------------------------===//

#include "analyzer/access/Tally.h"

#include "analyzer/warp/WarpCost.h"

#include <algorithm>
#include <bit>

namespace warpwise::access {
namespace {

/// Executions of a block for which siblings are compared; the pattern of a
/// group does not change after that, or it is no group.
constexpr unsigned GroupExecutions = 64;

/// Costs depend on a common offset only up to this many bytes: the width of
/// all banks, and a multiple of the sector.
constexpr uint64_t PhaseBytes = 128;

using Addresses = std::array<uint64_t, WarpLanes>;

/// Bytes between neighbouring active lanes, if that is one number.
std::optional<int64_t> strideOf(const Addresses &A, uint32_t Active) {
  std::optional<int64_t> Stride;
  int Before = -1;
  for (uint32_t Left = Active; Left != 0; Left &= Left - 1) {
    const int L = std::countr_zero(Left);
    if (Before >= 0) {
      if (L != Before + 1)
        return std::nullopt;
      const int64_t Step = int64_t(A[L] - A[Before]);
      if (Stride && *Stride != Step)
        return std::nullopt;
      Stride = Step;
    }
    Before = L;
  }
  return Stride;
}

} // namespace

Tally::Tally(const Program &Code)
    : Code(Code), Sites(Code.Sites.size()), Last(Code.Sites.size()),
      SeenInWarp(Code.Sites.size()), Leader(Code.Sites.size(), NoSlot),
      LeaderKnown(Code.Sites.size()) {
  int Segments = 0;
  for (const Site &S : Code.Sites)
    Segments = std::max(Segments, S.Segment + 1);
  SegmentSites.resize(Segments);
  SegmentBudget.resize(Segments, GroupExecutions);
  for (const Site &S : Code.Sites)
    if (S.Segment >= 0 && S.Memory == Space::Global)
      ++SegmentSites[S.Segment];
}

void Tally::startWarp(unsigned Number, double Factor) {
  Warp = Number;
  WarpWeight = Weight = Factor;
  ++WarpNumber;
  barrier(); // what another warp loaded is not in this one's registers
}

Tally::Costs Tally::costOf(const Site &S, const Addresses &A, uint32_t Active,
                           uint32_t Speculative) const {
  Costs C;
  // A speculative lane may be off, but some lane is on: a request was made.
  uint32_t Certain = Active & ~Speculative;
  if (Certain == 0)
    Certain = Active & -Active;
  switch (S.Memory) {
  case Space::Shared: {
    const auto Passes = S.Serialises               ? warp::atomicWavefronts
                        : S.Op == Operation::Store ? warp::storeWavefronts
                                                   : warp::wavefronts;
    C.Wavefronts = Passes(A, Active, S.Bytes);
    C.IdealWavefronts =
        S.Op == Operation::Load    ? warp::idealWavefronts(A, Active, S.Bytes)
        : S.Op == Operation::Store ? warp::idealStoreWavefronts(Active, S.Bytes)
                                   : 1;
    C.Certain = Speculative ? Passes(A, Certain, S.Bytes) : C.Wavefronts;
    return C;
  }
  case Space::Constant:
    C.Words = warp::distinctWords(A, Active, S.Bytes);
    C.Certain =
        Speculative ? warp::distinctWords(A, Certain, S.Bytes) : C.Words;
    return C;
  default:
    C.Sectors = warp::sectors(A, Active, S.Bytes);
    C.IdealSectors = warp::idealSectors(A, Active, S.Bytes);
    C.Certain = Speculative ? warp::sectors(A, Certain, S.Bytes) : C.Sectors;
    return C;
  }
}

void Tally::keepWorst(uint32_t Number, const Addresses &A, uint32_t Active,
                      const Costs &Cost) {
  SiteTally &T = Sites[Number];
  const unsigned Headline = Cost.Sectors + Cost.Wavefronts + Cost.Words;
  T.LeastCost = std::min(T.LeastCost, Headline);
  if (Headline <= T.WorstCost)
    return;
  T.WorstCost = Headline;
  T.Worst.ActiveMask = Active;
  T.Worst.Warp = Warp;
  T.Worst.Stride = strideOf(A, Active);
  uint64_t Lowest = ~uint64_t(0);
  for (uint32_t Left = Active; Left != 0; Left &= Left - 1)
    Lowest = std::min(Lowest, A[std::countr_zero(Left)]);
  for (unsigned L = 0; L != WarpLanes; ++L)
    T.Worst.Offsets[L] = Active >> L & 1 ? int64_t(A[L] - Lowest) : 0;
}

void Tally::repeat(double Times) { Weight = WarpWeight * Times; }

void Tally::barrier() {
  ++Epochs[0];
  ++Epochs[1];
}

/// Index into Epochs; constant memory does not change at all.
static unsigned epochOf(Space Memory) { return Memory == Space::Shared; }

void Tally::noteChange(const Site &S, const Addresses &A, uint32_t Active) {
  const unsigned E = epochOf(S.Memory);
  ++Epochs[E];
  if (S.Memory == Space::Generic)
    ++Epochs[1];
  if (S.Op == Operation::Store && S.Memory != Space::Generic)
    Stores[E] = {A, Active, S.Bytes, Epochs[E]};
}

bool Tally::isInRegister(uint32_t Number, const Addresses &A, uint32_t Active,
                         bool SameAsLast) const {
  const Site &S = Code.Sites[Number];
  // The first request of a warp is made in any case.
  if (S.Op != Operation::Load || S.Sort != Access::Kind::Plain ||
      SeenInWarp[Number] != WarpNumber)
    return false;
  const uint64_t Now = Epochs[epochOf(S.Memory)];
  const LastPattern &P = Last[Number];
  if (SameAsLast && (P.Epoch == Now || S.Memory == Space::Constant))
    return true;
  const LastStore &Stored = Stores[epochOf(S.Memory)];
  if (Stored.Epoch != Now || Stored.Bytes != S.Bytes ||
      (Active & ~Stored.Active) || S.Memory == Space::Generic)
    return false;
  for (uint32_t Left = Active; Left != 0; Left &= Left - 1) {
    const unsigned L = std::countr_zero(Left);
    if (Stored.Addresses[L] != A[L])
      return false;
  }
  return true;
}

void Tally::request(uint32_t Number, const LaneValue &Address, uint32_t Active,
                    uint32_t Speculative) {
  SiteTally &T = Sites[Number];
  const Site &S = Code.Sites[Number];
  Addresses A;
  if (Address.Uniform)
    A.fill(Address.Lanes[0]);
  else
    A = Address.Lanes;
  const bool Known = !(Address.Unknown & Active);
  const uint64_t Base = A[std::countr_zero(Active)];
  LastPattern &P = Last[Number];
  bool Same = Known && P.Valid && P.Active == Active &&
              P.Speculative == Speculative && P.Phase == Base % PhaseBytes;
  if (Same) {
    uint64_t Differs = 0;
    for (unsigned L = 0; L != WarpLanes; ++L)
      Differs |= Active >> L & 1 ? (A[L] - Base) ^ P.Offsets[L] : 0;
    Same = Differs == 0;
  }
  if (Known && isInRegister(Number, A, Active, Same && P.Base == Base))
    return;
  P.Base = Base;
  P.Epoch = Epochs[epochOf(S.Memory)];
  if (S.Op != Operation::Load)
    noteChange(S, A, Known ? Active : 0);

  T.Requests += Weight;
  ++T.Evaluated;
  T.Lanes += Weight * std::popcount(Active);
  T.AssumedAddress |= (Address.From & OriginAssumed) != 0;
  T.LoadedByAll |= (Address.From & OriginLoadedByAll) != 0;
  if (SeenInWarp[Number] != WarpNumber) {
    SeenInWarp[Number] = WarpNumber;
    T.Warps += WarpWeight;
  }
  if (Speculative)
    T.SpeculativeRequests += Weight;
  if (!Known) {
    T.UnknownRequests += Weight;
    T.UnknownFrom |= Address.From;
    return;
  }
  if (!Same) {
    P.Valid = true;
    P.Active = Active;
    P.Speculative = Speculative;
    P.Phase = Base % PhaseBytes;
    for (unsigned L = 0; L != WarpLanes; ++L)
      P.Offsets[L] = A[L] - Base;
    // One address costs what one lane costs.
    const bool One =
        S.Memory != Space::Shared || (S.Op == Operation::Load && S.Bytes <= 8);
    P.Cost = Address.Uniform && One ? costOf(S, A, Active & -Active, 0)
                                    : costOf(S, A, Active, Speculative);
    keepWorst(Number, A, Active, P.Cost);
  }
  T.Sectors += Weight * P.Cost.Sectors;
  T.IdealSectors += Weight * P.Cost.IdealSectors;
  T.Wavefronts += Weight * P.Cost.Wavefronts;
  T.IdealWavefronts += Weight * P.Cost.IdealWavefronts;
  T.Words += Weight * P.Cost.Words;
  T.CertainCost += Weight * P.Cost.Certain;
  if (S.Segment >= 0 && S.Memory == Space::Global &&
      SegmentSites[S.Segment] > 1 && SegmentBudget[S.Segment] > 0)
    Block.push_back({Number, Active, A});
}

void Tally::endOfBlock() {
  if (Block.empty())
    return;
  std::sort(Block.begin(), Block.end(),
            [&](const Pending &A, const Pending &B) {
              return std::pair(Code.Sites[A.Site].Segment, A.Site) <
                     std::pair(Code.Sites[B.Site].Segment, B.Site);
            });
  for (size_t First = 0; First != Block.size();) {
    const int Segment = Code.Sites[Block[First].Site].Segment;
    size_t End = First;
    while (End != Block.size() &&
           Code.Sites[Block[End].Site].Segment == Segment)
      ++End;
    --SegmentBudget[Segment];
    joinSiblings(First, End);
    First = End;
  }
  Block.clear();
}

/// Block[First .. End) are requests of one segment, made by the same lanes.
void Tally::joinSiblings(size_t First, size_t End) {
  auto differByConstant = [](const Pending &A, const Pending &B) {
    const unsigned L0 = std::countr_zero(A.Active);
    const uint64_t Delta = B.Addresses[L0] - A.Addresses[L0];
    for (uint32_t Left = A.Active; Left != 0; Left &= Left - 1) {
      const unsigned L = std::countr_zero(Left);
      if (B.Addresses[L] - A.Addresses[L] != Delta)
        return false;
    }
    return A.Active == B.Active;
  };
  // Who follows whom: decided at the first execution, withdrawn when a later
  // one disagrees.
  for (size_t N = First; N != End; ++N) {
    const uint32_t Me = Block[N].Site;
    if (!LeaderKnown[Me]) {
      LeaderKnown[Me] = 1;
      for (size_t M = First; M != N && Leader[Me] == NoSlot; ++M)
        if (Leader[Block[M].Site] == Block[M].Site &&
            differByConstant(Block[M], Block[N]))
          Leader[Me] = Block[M].Site;
      if (Leader[Me] == NoSlot)
        Leader[Me] = Me;
      continue;
    }
    if (Leader[Me] == Me)
      continue;
    for (size_t M = First; M != N; ++M)
      if (Block[M].Site == Leader[Me] && !differByConstant(Block[M], Block[N]))
        Leader[Me] = Me;
  }
  for (size_t N = First; N != End; ++N) {
    if (Leader[Block[N].Site] != Block[N].Site)
      continue;
    std::vector<uint64_t> Sectors;
    std::vector<std::pair<uint64_t, uint64_t>> Ranges;
    std::vector<uint32_t> Members;
    for (size_t M = First; M != End; ++M) {
      if (Leader[Block[M].Site] != Block[N].Site)
        continue;
      Members.push_back(Block[M].Site);
      const unsigned Bytes = Code.Sites[Block[M].Site].Bytes;
      for (uint32_t Left = Block[M].Active; Left != 0; Left &= Left - 1) {
        const uint64_t At = Block[M].Addresses[std::countr_zero(Left)];
        Ranges.emplace_back(At, At + Bytes);
        for (uint64_t S = At / 32; S <= (At + Bytes - 1) / 32; ++S)
          Sectors.push_back(S);
      }
    }
    if (Members.size() < 2)
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
    for (uint32_t Member : Members) {
      SiteTally &T = Sites[Member];
      T.GroupRequests += Weight;
      T.GroupSectors += Weight * double(Touched);
      T.GroupIdealSectors += Weight * double((Bytes + 31) / 32);
    }
  }
}

int Tally::groupOf(uint32_t Number) const {
  const uint32_t L = Leader[Number];
  if (L == NoSlot || Sites[Number].GroupRequests == 0)
    return -1;
  return int(L);
}

void Tally::scale(double Factor) {
  for (SiteTally &T : Sites)
    for (double *Sum :
         {&T.Requests, &T.Lanes, &T.Sectors, &T.IdealSectors, &T.Wavefronts,
          &T.IdealWavefronts, &T.Words, &T.GroupRequests, &T.GroupSectors,
          &T.GroupIdealSectors, &T.CertainCost, &T.UnknownRequests,
          &T.SpeculativeRequests, &T.Warps})
      *Sum *= Factor;
}

void Tally::fillGaps(const Tally &Other) {
  for (size_t N = 0; N != Sites.size(); ++N)
    if (Sites[N].Evaluated == 0) {
      Sites[N] = Other.Sites[N];
      Sites[N].Filled = true;
      Leader[N] = Other.Leader[N];
    }
}

} // namespace warpwise::access

//===- Tally.cpp - Sums over the requests of a run ------------------------===//

#include "analyzer/evaluate/Tally.h"

#include "profiler/warp/Expectation.h"
#include "profiler/warp/WarpCost.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace warpwise::access {
namespace {

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

bool isOnePlace(const Addresses &A, uint32_t Active) {
  uint64_t Differs = 0;
  for (uint32_t Left = Active; Left != 0; Left &= Left - 1)
    Differs |= A[std::countr_zero(Left)] ^ A[std::countr_zero(Active)];
  return Differs == 0;
}

} // namespace

Tally::Tally(const Program &Code, const profile::RequestLaw &Law)
    : Code(Code), Law(Law), PhaseMask(Law.period() - 1),
      Sites(Code.Sites.size()), BlockRuns(Code.Blocks.size()),
      BlocksPassed(Code.Blocks.size()), Last(Code.Sites.size()),
      SeenInWarp(Code.Sites.size()), Related(Code, Law) {}

void Tally::startWarp(unsigned Number, double Factor) {
  Warp = Number;
  ChainOfWarp = GatheredOfWarp = 0;
  if (Number == 0) {
    if (WarpNumber != 0)
      Chains.push_back(
          {WarpWeight, ChainOfBlock, GatheredOfBlock, BlockMakesRequests});
    ChainOfBlock = GatheredOfBlock = 0;
    BlockMakesRequests = false;
  }
  WarpWeight = Weight = Factor;
  ++WarpNumber;
  Related.startWarp();
  barrier(); // what another warp loaded is not in this one's registers
}

/// Where lanes that want \p A find what one load brings for several rounds,
/// \p Bytes in all.
static Addresses widened(Addresses A, unsigned Bytes) {
  assert(std::has_single_bit(Bytes) && "the address is a multiple of it");
  for (uint64_t &Its : A)
    Its &= ~uint64_t(Bytes - 1);
  return A;
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
    if (S.IsEmulated) {
      const warp::SwapLoop Loop =
          warp::swapLoop(Law, A, S.lanesThatAsk(Active), S.Bytes);
      C.Wavefronts = C.ConflictFree = Loop.wavefrontsOfRound();
      C.IdealWavefronts = Loop.idealOfRound();
      C.SwapRounds = Loop.Rounds;
      C.Certain = Speculative
                      ? warp::swapLoop(Law, A, S.lanesThatAsk(Certain), S.Bytes)
                            .wavefrontsOfRound()
                      : C.Wavefronts;
      return C;
    }
    const auto Passes = S.Serialises               ? warp::atomicWavefronts
                        : S.Op == Operation::Store ? warp::storeWavefronts
                                                   : warp::wavefronts;
    C.Wavefronts = Passes(Law, A, Active, S.Bytes);
    // What is asked for in several rounds at once takes as many wavefronts for
    // them all.
    const unsigned Bytes = S.RoundsAtOnce * S.Bytes;
    const Addresses Its = Bytes > S.Bytes ? widened(A, Bytes) : A;
    switch (S.Op) {
    case Operation::Load:
      C.IdealWavefronts = warp::idealWavefronts(Law, Its, Active, Bytes);
      C.ConflictFree = warp::conflictFreeWavefronts(Law, Its, Active, Bytes);
      break;
    case Operation::Store:
      C.IdealWavefronts = warp::idealStoreWavefronts(Law, Active, Bytes);
      C.ConflictFree = warp::conflictFreeStoreWavefronts(Law, Active, Bytes);
      break;
    case Operation::Atomic:
      C.IdealWavefronts = C.ConflictFree = 1;
      break;
    }
    C.Certain = Speculative ? Passes(Law, A, Certain, S.Bytes) : C.Wavefronts;
    if (const unsigned Most = S.MostRoundsAtOnce * S.Bytes; Most > S.Bytes)
      // A store's phases never join.
      C.Wide = warp::storeWavefronts(Law, widened(A, Most), Active, Most);
    if (Bytes > S.Bytes)
      C.Joined = Passes(Law, Its, Active, Bytes);
    return C;
  }
  case Space::Constant:
    C.Words = warp::distinctWords(Law, A, Active, S.Bytes);
    C.Certain =
        Speculative ? warp::distinctWords(Law, A, Certain, S.Bytes) : C.Words;
    return C;
  default:
    C.Sectors = warp::sectors(Law, A, Active, S.Bytes);
    C.IdealSectors = warp::idealSectors(Law, A, Active, S.Bytes);
    C.Certain =
        Speculative ? warp::sectors(Law, A, Certain, S.Bytes) : C.Sectors;
    C.Lines = warp::lines(Law, A, Active, S.Bytes);
    // Through the same wires as shared memory: L1 and it are one (CUDA C++
    // Programming Guide, since compute capability 7.0). But phases of a load
    // never join: 16 bytes that all lanes load from one address take 4 passes,
    // 8 take 2 (Nsight Compute on an H100, test/gpu/pairs/h100-counters.csv.gz:
    // metaballs-four-points, matrix-vector-double).
    C.LinePasses = warp::storeWavefronts(Law, A, Active, S.Bytes);
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

bool Tally::isInRegister(uint32_t Number, const Addresses &A,
                         uint32_t Active) const {
  const Site &S = Code.Sites[Number];
  // The first request of a warp is made in any case.
  if (S.Op != Operation::Load || S.Sort != Access::Kind::Plain ||
      SeenInWarp[Number] != WarpNumber)
    return false;
  const uint64_t Now = Epochs[epochOf(S.Memory)];
  const LastRequest &P = Last[Number];
  if (P.IsKnown && (P.Epoch == Now || S.Memory == Space::Constant) &&
      P.Pattern.isRepeated(A, Active))
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

/// Lanes that lie a gigabyte apart in shared memory, on both sides of zero:
/// these are not the lanes that ask, or not the numbers they ask with. (A long
/// row that was made up for one that is not known is shorter.)
static bool isTornApart(const Addresses &A, uint32_t Active) {
  constexpr uint64_t Gigabyte = 1 << 30;
  const uint64_t First = A[std::countr_zero(Active)];
  for (; Active != 0; Active &= Active - 1) {
    const uint64_t Address = A[std::countr_zero(Active)];
    if (std::max(Address, First) - std::min(Address, First) >= Gigabyte)
      return true;
  }
  return false;
}

void Tally::request(uint32_t Number, const LaneValue &Address, uint32_t Active,
                    uint32_t Speculative) {
  assert(Active != 0 && (Speculative & ~Active) == 0 &&
         "a request is made by some lane, speculative ones among them");
  BlockMakesRequests = true;
  SiteTally &T = Sites[Number];
  const Site &S = Code.Sites[Number];
  Addresses A;
  if (Address.Uniform)
    A.fill(Address.Lanes[0]);
  else
    A = Address.Lanes;
  const bool IsGuess = Speculative || (Address.From & OriginAssumed);
  const bool Known = !(Address.Unknown & Active) &&
                     !(S.Memory == Space::Shared && !Address.Uniform &&
                       IsGuess && isTornApart(A, Active));
  // Whether a load is made at all hangs on its address, too.
  T.AssumedAddress |= (Address.From & OriginAssumed) != 0;
  T.AssumedStep |= (Address.From & OriginAssumedStep) != 0;
  T.RoundStep |= (Address.From & OriginRoundStep) != 0;
  T.LoadedByAll |= (Address.From & OriginLoadedByAll) != 0;
  T.HandedOut |= (Address.From & (OriginAtomic | OriginCounted)) != 0;
  T.Copied |= (Address.From & OriginCopied) != 0;
  T.Indexed |= (Address.From & OriginIndexed) != 0;
  if (Known && isInRegister(Number, A, Active))
    return;
  LastRequest &P = Last[Number];
  P.IsKnown = Known;
  P.Epoch = Epochs[epochOf(S.Memory)];
  if (S.Op != Operation::Load)
    noteChange(S, A, Known ? Active : 0);

  if (T.FirstMask == 0) {
    T.FirstWarp = Warp;
    T.FirstMask = Active;
  }
  T.Requests += Weight;
  ++T.Evaluated;
  T.Lanes += Weight * std::popcount(Active);
  if (SeenInWarp[Number] != WarpNumber) {
    SeenInWarp[Number] = WarpNumber;
    T.Warps += WarpWeight;
  }
  if (Speculative)
    T.SpeculativeRequests += Weight;
  if (!Known) {
    T.UnknownRequests += Weight;
    T.UnknownFrom |= Address.From;
    if (S.Memory == Space::Global && (Address.From & OriginRows))
      if (const auto Rows =
              warp::expectSectorsOfRows(Law, A, Active, S.Bytes)) {
        T.RowRequests += Weight;
        T.RowSectors += Weight * Rows->Expected;
        T.LeastRowSectors += Weight * Rows->Low;
      }
    return;
  }
  const Costs &Cost = P.Pattern.of(A, Active, Speculative, PhaseMask, [&] {
    // One address costs what one lane costs.
    const bool One =
        S.Memory == Space::Constant ||
        (S.Memory == Space::Shared ? S.Op == Operation::Load && S.Bytes <= 8
                                   : S.Bytes <= 4);
    Costs Its = Address.Uniform && One ? costOf(S, A, Active & -Active, 0)
                                       : costOf(S, A, Active, Speculative);
    Its.PhaseMask = PhaseMask;
    // Of one element only whether it is aligned.
    if (std::has_single_bit(S.Bytes) && isOnePlace(A, Active))
      Its.PhaseMask &= S.Bytes - 1;
    keepWorst(Number, A, Active, Its);
    return Its;
  });
  T.Sectors += Weight * Cost.Sectors;
  T.IdealSectors += Weight * Cost.IdealSectors;
  T.Wavefronts += Weight * Cost.Wavefronts;
  T.IdealWavefronts += Weight * Cost.IdealWavefronts;
  T.ConflictFreeWavefronts += Weight * Cost.ConflictFree;
  T.WideWavefronts += Weight * Cost.Wide;
  T.JoinedWavefronts += Weight * Cost.Joined;
  T.Words += Weight * Cost.Words;
  T.SwapRounds += Weight * Cost.SwapRounds;
  T.Lines += Weight * Cost.Lines;
  T.LinePasses += Weight * Cost.LinePasses;
  T.Phases += Weight * double(A[std::countr_zero(Active)] & Cost.PhaseMask);
  T.CertainCost += Weight * Cost.Certain;
  Related.request(Number, A, Active, Weight);
}

void Tally::passOver(uint32_t Block) { BlocksPassed[Block] += Weight; }

void Tally::endOfBlock(uint32_t Block) {
  BlockRuns[Block] += Weight;
  ChainOfWarp += Weight / WarpWeight * Code.Blocks[Block].ChainSteps;
  GatheredOfWarp += Weight / WarpWeight * Code.Blocks[Block].GatheredSteps;
  if (ChainOfWarp > ChainOfBlock) {
    ChainOfBlock = ChainOfWarp;
    GatheredOfBlock = GatheredOfWarp;
  }
  Related.endOfBlock(Block);
}

/// Where \p T has what repeats and weights multiply.
static auto sumsOf(auto &T) {
  return std::array{&T.Requests,
                    &T.Lanes,
                    &T.Sectors,
                    &T.IdealSectors,
                    &T.Wavefronts,
                    &T.IdealWavefronts,
                    &T.WideWavefronts,
                    &T.JoinedWavefronts,
                    &T.Words,
                    &T.ConflictFreeWavefronts,
                    &T.SwapRounds,
                    &T.Lines,
                    &T.LinePasses,
                    &T.CertainCost,
                    &T.UnknownRequests,
                    &T.RowRequests,
                    &T.RowSectors,
                    &T.LeastRowSectors,
                    &T.SpeculativeRequests,
                    &T.Warps,
                    &T.Phases};
}

void Tally::scale(double Factor) {
  for (SiteTally &T : Sites)
    for (double *Sum : sumsOf(T))
      *Sum *= Factor;
  for (std::vector<double> *All : {&BlockRuns, &BlocksPassed})
    for (double &Runs : *All)
      Runs *= Factor;
  for (Chain &Of : Chains)
    Of.Weight *= Factor;
  WarpWeight *= Factor; // of the last warp, whose block is still open
  Related.scale(Factor);
}

double Tally::chainSteps() const {
  double Sum = ChainOfBlock * WarpWeight;
  for (const Chain &Of : Chains)
    Sum += Of.Weight * Of.Steps;
  return Sum;
}

double Tally::gatheredSteps() const {
  double Sum = GatheredOfBlock * WarpWeight;
  for (const Chain &Of : Chains)
    Sum += Of.Weight * Of.Gathered;
  return Sum;
}

double Tally::idleBlocks() const {
  // What a block does that finds nothing to do is far from what others do, or
  // less, and leads to no memory.
  constexpr double MostOfMean = 1 / 3.0, LessThanMean = 0.99;
  std::vector<Chain> All = Chains;
  All.push_back(
      {WarpWeight, ChainOfBlock, GatheredOfBlock, BlockMakesRequests});
  double Blocks = 0, Idle = 0;
  for (const Chain &Of : All)
    Blocks += Of.Weight;
  if (Blocks <= 0)
    return 0;
  const double Mean = chainSteps() / Blocks;
  const bool AnyRequests = std::ranges::any_of(All, &Chain::MakesRequests);
  for (const Chain &Of : All) {
    const bool IsEmpty = AnyRequests && !Of.MakesRequests;
    if (Of.Steps < (IsEmpty ? LessThanMean : MostOfMean) * Mean)
      Idle += Of.Weight;
  }
  return Idle / Blocks;
}

std::vector<double> Tally::sums() const {
  std::vector<double> All = BlockRuns;
  All.insert(All.end(), BlocksPassed.begin(), BlocksPassed.end());
  All.push_back(chainSteps());
  for (const SiteTally &T : Sites)
    for (const double *Sum : sumsOf(T))
      All.push_back(*Sum);
  return All;
}

/// True when made-up numbers kept half of the lanes or more from the site in
/// one run, but not in the other. Where memory chooses the lanes, few may be
/// what there are.
static bool isThin(const SiteTally &T, const SiteTally &Other) {
  return T.AssumedAddress && T.SpeculativeRequests < T.Requests &&
         Other.Evaluated && Other.UnknownRequests == 0 &&
         2 * T.Lanes / T.Requests <= Other.Lanes / Other.Requests;
}

bool Tally::hasThinSites() const {
  constexpr unsigned FewLanes = WarpLanes / 4;
  for (size_t N = 0; N != Sites.size(); ++N) {
    const SiteTally &T = Sites[N];
    if (T.AssumedAddress && T.SpeculativeRequests < T.Requests && T.Evaluated &&
        unsigned(std::popcount(Code.Sites[N].Lanes)) > FewLanes &&
        T.Lanes <= FewLanes * T.Requests)
      return true;
  }
  return false;
}

void Tally::take(size_t N, const Tally &Other) {
  Sites[N] = Other.Sites[N];
  Sites[N].Filled = true;
  Related.take(uint32_t(N), Other.Related);
}

void Tally::takeUnreached(const Tally &Other) {
  for (size_t N = 0; N != Sites.size(); ++N)
    if (Sites[N].Evaluated == 0)
      take(N, Other);
  for (size_t B = 0; B != BlockRuns.size(); ++B)
    if (BlockRuns[B] == 0)
      BlockRuns[B] = Other.BlockRuns[B];
}

void Tally::fillGaps(const Tally &Other) {
  takeUnreached(Other);
  for (size_t N = 0; N != Sites.size(); ++N)
    if (isThin(Sites[N], Other.Sites[N]))
      take(N, Other);
}

} // namespace warpwise::access

//===- Chunks.cpp - When enough waves of a launch were simulated ----------===//

#include "analyzer/reuse/Chunks.h"

#include "analyzer/reuse/StoppingRules.h"

#include <algorithm>
#include <cassert>

using namespace warpwise;
using namespace warpwise::reuse;

Chunks::Chunks(const Sample &Part, size_t SiteCount, const L1Room &Room)
    : Part(Part),
      Size(std::max<uint64_t>(1, Part.ChunkBlocks == 0 ? Part.ColdBlocks
                                                       : Part.ChunkBlocks)),
      Cold(size_t(Part.ColdBlocks / Size)),
      All(Part.ChunkBlocks == 0 ? 2
                                : std::min<uint64_t>(stopping::MostChunks,
                                                     1 + Part.Blocks / Size)),
      SiteCount(SiteCount), Shared(All.size(), SiteCount, Cold / 2, Room),
      Next(Cold) {}

/// Whether chunks miss lines that an earlier one missed already.
bool Chunks::missesAreKnown(size_t First, size_t Last) const {
  return Shared.knownShare(First, Last) > stopping::MostKnownMisses;
}

/// Whether later waves may find more in L1 than these chunks did: what they
/// missed was missed by an earlier wave, too, and the caches have not yet been
/// filled so often that they keep no more than they ever will.
bool Chunks::mayWarmUp(size_t First, size_t Last) const {
  return missesAreKnown(First, Last) &&
         Shared.fillings(Last) < stopping::MostFillings;
}

bool Chunks::holdsBack(uint64_t Number) {
  // One that is unlike the cold wave is often like the next, but SMs that wait
  // again and again would run in step.
  if (Part.ChunkBlocks == 0 || Settled ||
      Next >= Cold + stopping::MostAloneChunks || Number < (Next + 1) * Size)
    return false;
  // A launch whose L1s warm up in a way that cannot be foreseen goes on anyway.
  if (Holding == Hold::Undecided)
    Holding =
        missesAreKnown(Cold / 2, Cold - 1) && !Shared.areReadByAll(Cold - 1)
            ? Hold::No
            : Hold::Yes;
  return Holding == Hold::Yes;
}

bool Chunks::isComplete(size_t Chunk, uint64_t Dealt) const {
  return All[Chunk].Ended == All[Chunk].Started && Dealt >= (Chunk + 1) * Size;
}

Traffic Chunks::sumOf(const std::vector<Traffic> &Rows, size_t First,
                      size_t Last, SharedLines::Share Left) const {
  assert(First <= Last && Last < All.size());
  Traffic Sum;
  for (size_t I = First * SiteCount; I != (Last + 1) * SiteCount; ++I)
    Sum += Shared.foreseen(Rows[I], I, Left);
  return Sum;
}

/// Whether what is foreseen will be right within a point of L1's hit rate, as
/// far as the chunks that are compared tell.
bool Chunks::canForesee(const std::vector<Traffic> &Rows) const {
  // When the cold wave began, nobody knew what is shared.
  if (Next == Cold || !Shared.areReadByAll(Next) ||
      !Shared.fit(Next, Part.AllBlocks / Size))
    return false;
  const Traffic Now = sumOf(Rows, Stands, Next, {});
  const Traffic Rest = sumOf(Rows, Stands, Next, leftOf(Stands, Next));
  return Shared.deviation(Stands, Next) * (Rest.LoadHits - Now.LoadHits) <=
         stopping::MostForeseenError * Now.LoadSectors;
}

/// Of the misses of shared lines in [\p First, \p Last], in all that follows.
SharedLines::Share Chunks::leftOf(size_t First, size_t Last) const {
  return Shared.left(First, Last, Stands, Part.AllBlocks / Size - Stands);
}

/// Blocks that run count half.
double Chunks::chunksSoFar() const {
  uint64_t Halves = 0;
  for (const Chunk &C : All)
    Halves += C.Started + C.Ended;
  return double(Halves) / double(2 * Size);
}

void Chunks::compare(const std::vector<Traffic> &Rows, uint64_t Dealt,
                     uint64_t Allocated) {
  if (Part.ChunkBlocks == 0 || Next + 1 >= All.size() ||
      !isComplete(Next, Dealt))
    return;
  Shared.allocated(double(Allocated) / chunksSoFar());
  // The last chunk has blocks without an end.
  for (; Next + 1 < All.size() && isComplete(Next, Dealt); ++Next) {
    // When the first chunk after it agrees with the whole cold wave, the
    // caches' contents do not matter. Those of later chunks that did not agree
    // change slowly or by chance, and so more and more are put together.
    const size_t Count = 1 + (Next - Cold) / stopping::ChunksBeforeMore,
                 Second = Next + 1 - Count;
    assert(Count <= Second || Next == Cold);
    const size_t First = Next == Cold ? 0 : Second - Count;
    uint64_t BlocksBefore = 0, BlocksNow = 0;
    for (size_t I = First; I <= Next; ++I) {
      if (!isComplete(I, Dealt))
        return;
      (I < Second ? BlocksBefore : BlocksNow) += All[I].Started;
    }
    Stands = Next == Cold ? Cold : First;
    const bool WarmsUp = mayWarmUp(Second, Next);
    if (WarmsUp && !canForesee(Rows))
      continue;
    const auto halvesAgree = [&](bool AsForeseen) {
      const auto partOf = [&](size_t From, size_t Last) {
        return sumOf(Rows, From, Last,
                     AsForeseen ? leftOf(From, Last) : SharedLines::Share());
      };
      return agree(partOf(First, Second - 1), BlocksBefore,
                   partOf(Second, Next), BlocksNow);
    };
    // What L1s will find in the rest is compared rather than what they found.
    // As long as that changes fast, many SMs must have shown it.
    if (!halvesAgree(WarmsUp) ||
        (WarmsUp && Shared.readBy(Next) < stopping::LeastOfSms &&
         !halvesAgree(false)))
      continue;
    Settled = true;
    if (WarmsUp)
      Left = leftOf(Stands, Next);
    return;
  }
}

uint64_t Chunks::blocks() const {
  uint64_t Sum = 0;
  for (size_t I = 0; I != All.size(); ++I)
    Sum += Settled && I > Next ? 0 : All[I].Started;
  return Sum;
}

std::vector<double> Chunks::weights() const {
  std::vector<double> Weights(All.size(), 1);
  if (!Settled && Part.Blocks == Part.AllBlocks && Part.SmStride == 1)
    return Weights;
  // Those before Rest stand for themselves, although some of their blocks may
  // not have been simulated. Without a wave that follows the cold one stands
  // for all.
  const size_t Rest = Settled ? Stands : Cold;
  uint64_t Own = 0, Others = 0;
  for (size_t I = 0; I != All.size(); ++I)
    if (!Settled || I <= Next)
      (I < Rest ? Own : Others) += All[I].Started;
  const uint64_t OwnBlocks =
      Others == 0 ? Part.AllBlocks : std::min(Rest * Size, Part.AllBlocks);
  for (size_t I = 0; I != All.size(); ++I)
    if (Settled && I > Next)
      Weights[I] = 0; // blocks that were interrupted say nothing
    else if (I < Rest)
      Weights[I] = double(OwnBlocks) / double(std::max<uint64_t>(1, Own));
    else
      Weights[I] = double(Part.AllBlocks - OwnBlocks) /
                   double(std::max<uint64_t>(1, Others));
  return Weights;
}

Traffic Chunks::foreseen(const std::vector<Traffic> &Rows, size_t Row) const {
  return Settled && Row >= Stands * SiteCount
             ? Shared.foreseen(Rows[Row], Row, Left)
             : Rows[Row];
}

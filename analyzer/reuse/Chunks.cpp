//===- Chunks.cpp - When enough waves of a launch were simulated ----------===//

#include "analyzer/reuse/Chunks.h"

#include <algorithm>

using namespace warpwise;
using namespace warpwise::reuse;

/// That are compared; the last one has all blocks that are left.
static constexpr uint64_t MostChunks = 128;

Chunks::Chunks(const Sample &Part, size_t SiteCount, const L1Room &Room)
    : Part(Part),
      Size(std::max<uint64_t>(1, Part.ChunkBlocks == 0 ? Part.ColdBlocks
                                                       : Part.ChunkBlocks)),
      Cold(size_t(Part.ColdBlocks / Size)),
      All(Part.ChunkBlocks == 0
              ? 2
              : std::min<uint64_t>(MostChunks, 1 + Part.Blocks / Size)),
      SiteCount(SiteCount), Shared(All.size(), SiteCount, Cold / 2, Room),
      Next(Cold) {}

/// Whether chunks miss lines that an earlier one missed already.
bool Chunks::missesAreKnown(size_t First, size_t Last) const {
  constexpr double MostKnown = 0.03;
  return Shared.knownShare(First, Last) > MostKnown;
}

/// Whether later waves may find more in L1 than this chunk did: what it missed
/// was missed by an earlier wave, too, and the caches have not yet been filled
/// so often that they keep no more than they ever will.
bool Chunks::mayWarmUp(size_t Chunk) const {
  constexpr double MostFillings = 1.5;
  return missesAreKnown(Chunk, Chunk) && Shared.fillings(Chunk) < MostFillings;
}

bool Chunks::holdsBack(uint64_t Number) {
  // One that is unlike the cold wave is often like the next, but SMs that wait
  // again and again would run in step.
  constexpr size_t MostAlone = 2;
  if (Part.ChunkBlocks == 0 || Settled || Next >= Cold + MostAlone ||
      Number < (Next + 1) * Size)
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

static Traffic sumOf(const std::vector<Traffic> &Rows, size_t SiteCount,
                     size_t First, size_t Last) {
  Traffic Sum;
  for (size_t I = First * SiteCount; I != (Last + 1) * SiteCount; ++I)
    Sum += Rows[I];
  return Sum;
}

void Chunks::compare(const std::vector<Traffic> &Rows, uint64_t Dealt) {
  if (Part.ChunkBlocks == 0)
    return;
  // The last chunk has blocks without an end.
  for (; Next + 1 < All.size() && isComplete(Next, Dealt); ++Next) {
    // When the first chunk after it agrees with the whole cold wave, the
    // caches' contents do not matter.
    const size_t First = Next == Cold ? 0 : Next - 1;
    uint64_t BlocksBefore = 0;
    for (size_t I = First; I != Next; ++I) {
      if (!isComplete(I, Dealt))
        return;
      BlocksBefore += All[I].Started;
    }
    if (!agree(sumOf(Rows, SiteCount, First, Next - 1), BlocksBefore,
               sumOf(Rows, SiteCount, Next, Next), All[Next].Started))
      continue;
    const bool WarmsUp = mayWarmUp(Next);
    if (WarmsUp && !Shared.areReadByAll(Next))
      continue;
    Stands = Next == Cold ? Cold : First;
    Settled = true;
    if (WarmsUp)
      Left = Shared.left(Stands, Next, Part.AllBlocks / Size - Stands);
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

double Chunks::warmedUp(size_t Row) const {
  return Settled && Row >= Stands * SiteCount
             ? (1 - Left) * Shared.sharedSectors(Row)
             : 0;
}

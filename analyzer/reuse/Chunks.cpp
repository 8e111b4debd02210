//===- Chunks.cpp - When enough waves of a launch were simulated ----------===//

#include "analyzer/reuse/Chunks.h"

#include <algorithm>

using namespace warpwise;
using namespace warpwise::reuse;

/// That are compared; the last one has all blocks that are left.
static constexpr uint64_t MostChunks = 128;

/// One of this many lines is followed.
static constexpr unsigned NotedShift = 4;

Chunks::Chunks(const Sample &Part)
    : Part(Part),
      Size(std::max<uint64_t>(1, Part.ChunkBlocks == 0 ? Part.ColdBlocks
                                                       : Part.ChunkBlocks)),
      Cold(size_t(Part.ColdBlocks / Size)),
      All(Part.ChunkBlocks == 0
              ? 2
              : std::min<uint64_t>(MostChunks, 1 + Part.Blocks / Size)),
      Next(Cold) {}

void Chunks::missed(size_t Chunk, uint64_t Line) {
  if (Line * 0x9E3779B97F4A7C15 >> (64 - NotedShift) != 0)
    return;
  // Blocks that run at the same time miss the same lines and learn nothing.
  const size_t First = FirstMiss.try_emplace(Line, Chunk).first->second;
  ++All[Chunk].Misses;
  All[Chunk].KnownMisses += First + Cold / 2 <= Chunk;
}

/// Whether chunks miss lines that an earlier one missed already.
bool Chunks::missesAreKnown(size_t First, size_t Last) const {
  constexpr double MostKnown = 0.03;
  uint64_t Misses = 0, Known = 0;
  for (size_t I = First; I <= Last; ++I) {
    Misses += All[I].Misses;
    Known += All[I].KnownMisses;
  }
  return double(Known) > MostKnown * double(Misses);
}

/// Whether later waves may find more in L1 than this chunk did: what it missed
/// was missed by an earlier wave, too, and the caches have not yet been filled
/// so often that they keep no more than they ever will.
bool Chunks::mayWarmUp(size_t Chunk, uint64_t L1Lines) const {
  if (!missesAreKnown(Chunk, Chunk))
    return false;
  uint64_t Lines = 0;
  for (size_t Before = 0; Before != Chunk; ++Before)
    Lines += All[Before].Misses << NotedShift;
  return double(Lines) < 1.5 * double(L1Lines);
}

bool Chunks::holdsBack(uint64_t Number) {
  if (Part.ChunkBlocks == 0 || Next != Cold || Settled ||
      Number < (Cold + 1) * Size)
    return false;
  // A launch whose L1s warm up will go on anyway, and waiting would only bring
  // its SMs into step.
  if (Holding == Hold::Undecided)
    Holding = missesAreKnown(Cold / 2, Cold - 1) ? Hold::No : Hold::Yes;
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

void Chunks::compare(const std::vector<Traffic> &Rows, uint64_t Dealt,
                     uint64_t L1Lines) {
  if (Part.ChunkBlocks == 0)
    return;
  const size_t SiteCount = Rows.size() / All.size();
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
    if (agree(sumOf(Rows, SiteCount, First, Next - 1), BlocksBefore,
              sumOf(Rows, SiteCount, Next, Next), All[Next].Started) &&
        !mayWarmUp(Next, L1Lines)) {
      Stands = Next == Cold ? Cold : First;
      Settled = true;
      return;
    }
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

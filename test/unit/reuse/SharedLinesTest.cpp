//===- SharedLinesTest.cpp - What blocks all over the grid read -----------===//

#include "analyzer/reuse/SharedLines.h"

#include <gtest/gtest.h>

#include <list>
#include <map>
#include <random>

using namespace warpwise::reuse;

namespace {

constexpr size_t Sms = 64, Chunks = 64, Apart = 2;
constexpr uint64_t Vector = 1 << 20, VectorLines = 128;

/// A fully associative L1 with LRU replacement.
class Cache {
public:
  explicit Cache(size_t Lines) : Lines(Lines) {}
  bool misses(uint64_t Line) {
    const auto Found = At.find(Line);
    if (Found != At.end())
      Order.erase(Found->second);
    else if (At.size() == Lines)
      dropOldest();
    Order.push_back(Line);
    const bool Missed = Found == At.end();
    At[Line] = std::prev(Order.end());
    return Missed;
  }

private:
  void dropOldest() {
    At.erase(Order.front());
    Order.pop_front();
  }

  size_t Lines;
  std::list<uint64_t> Order;
  std::map<uint64_t, std::list<uint64_t>::iterator> At;
};

/// Plays a launch whose blocks read one line of a vector, anywhere, and read
/// and store some lines of their own; in each chunk there are four blocks on an
/// SM. What L1s allocated is told until chunk 5 ends.
class Launch {
public:
  Launch(size_t LinesOfL1, unsigned OwnLines, unsigned StoredLines = 0)
      : Lines(Chunks, 1, Apart, {Sms, LinesOfL1}) {
    std::vector<Cache> L1s(Sms, Cache(LinesOfL1));
    std::mt19937 Random(1);
    uint64_t Own = 0, Allocated = 0;
    for (size_t Chunk = 0; Chunk != Chunks; ++Chunk) {
      for (unsigned Block = 0; Block != 4 * Sms; ++Block) {
        Cache &L1 = L1s[Block % Sms];
        const uint64_t Line = Vector + Random() % VectorLines;
        if (L1.misses(Line)) {
          Lines.missed(Chunk, Line, 0xF);
          ++Missed[Chunk];
          ++Allocated;
        }
        for (unsigned I = 0; I != OwnLines; ++I)
          if (L1.misses(++Own))
            Lines.missed(Chunk, Own, 0xF);
        for (unsigned I = 0; I != StoredLines; ++I)
          L1.misses(++Own);
        Allocated += OwnLines + StoredLines;
      }
      if (Chunk == 5)
        Lines.allocated(double(Allocated) / 6);
    }
  }
  /// The mean of chunks [First, First + Count).
  double mean(size_t First, size_t Count) const {
    double Sum = 0;
    for (size_t I = First; I != First + Count; ++I)
      Sum += Missed[I];
    return Sum / double(Count);
  }

  SharedLines Lines;
  double Missed[Chunks] = {};
};

/// What is left of the misses of chunks 4 and 5 later on, and is foreseen.
double leftLater(const Launch &L) {
  EXPECT_TRUE(L.Lines.areReadByAll(5));
  const double Later = L.mean(4, 60) / L.mean(4, 2);
  EXPECT_NEAR(L.Lines.left(4, 5, 4, 60).Misses, Later, 0.1 * Later);
  EXPECT_LT(L.Lines.deviation(4, 5), 0.2);
  return Later;
}

TEST(SharedLines, AreMissedUntilEverySmHasThem) {
  const Launch L(4096, 8);
  EXPECT_LT(leftLater(L), 0.6);
  EXPECT_NEAR(L.Lines.sharedSectors(5), 4 * L.Missed[5],
              0.25 * 4 * L.Missed[5]);
}

TEST(SharedLines, AreDroppedByAnL1ThatIsFull) {
  // Filled after sixteen chunks.
  EXPECT_GT(leftLater(Launch(576, 8)), 0.65);
}

TEST(SharedLines, AreDroppedForStoresToo) {
  const Launch L(576, 2, 6);
  const double Later = L.mean(4, 60) / L.mean(4, 2);
  EXPECT_GT(Later, 0.65);
  EXPECT_NEAR(L.Lines.left(4, 5, 4, 60).Misses, Later, 0.1 * Later);
}

TEST(SharedLines, FitWhereSmsHaveMostBeforeL1IsFull) {
  EXPECT_TRUE(Launch(4096, 8).Lines.fit(5, Chunks));
  const Launch Small(576, 8); // has half of them when it is full
  EXPECT_FALSE(Small.Lines.fit(5, Chunks));
  EXPECT_TRUE(Small.Lines.fit(5, 10));
}

TEST(SharedLines, FewerMissesAreMergedLess) {
  const Launch L(4096, 8);
  const SharedLines::Share Left = L.Lines.left(4, 5, 4, 60);
  EXPECT_LT(Left.Merged, Left.Misses);
  // Not less than if all chunks had the mean.
  EXPECT_GT(Left.Merged, Left.Misses * Left.Misses);
}

TEST(SharedLines, PartsThatNeighboursReadAreNoChance) {
  // Each part of the vector is new to the SMs again, three times as fast as
  // what they have of all so far would let one expect.
  SharedLines Lines(Chunks, 1, Apart, {Sms, 4096});
  Lines.allocated(8000);
  for (size_t Chunk = 0; Chunk != 6; ++Chunk)
    for (uint64_t Line = 0; Line != 1000; ++Line)
      for (unsigned Sm = 0; Sm != (Chunk < 4 ? 2 : 8); ++Sm)
        Lines.missed(Chunk, Line, 0xF);
  EXPECT_TRUE(Lines.areReadByAll(5));
  EXPECT_GT(Lines.deviation(4, 5), 0.3);
}

TEST(SharedLines, FollowAtOnceNothing) {
  const Launch L(4096, 8);
  EXPECT_NEAR(L.Lines.left(5, 5, 5, 1).Misses, 1, 1e-9);
  EXPECT_EQ(L.Lines.left(5, 5, 5, 0).Misses, 1);
}

TEST(SharedLines, ThoseOfNeighboursAreSoonFollowedByOthers) {
  // Each chunk reads what that two before it read.
  SharedLines Lines(Chunks, 1, Apart, {Sms, 4096});
  for (size_t Chunk = 0; Chunk != 6; ++Chunk)
    for (uint64_t Line = 0; Line != 2000; ++Line)
      Lines.missed(Chunk, Line + 1000 * (Chunk / 2), 0xF);
  EXPECT_NEAR(Lines.knownShare(4, 4), 0.5, 0.01);
  EXPECT_FALSE(Lines.areReadByAll(4));
}

TEST(SharedLines, TellHowOftenL1IsFilled) {
  SharedLines Lines(Chunks, 1, Apart, {10, 100});
  EXPECT_EQ(Lines.fillings(0), 0);
  Lines.allocated(2000);
  EXPECT_NEAR(Lines.fillings(1), 2, 0.01);
  EXPECT_NEAR(Lines.fillings(3), 6, 0.01);
}

TEST(SharedLines, CountBySite) {
  SharedLines Lines(Chunks, 2, Apart, {Sms, 4096});
  for (size_t Chunk : {0, 2})
    for (uint64_t Line = 0; Line != 1000; ++Line)
      Lines.missed(2 * Chunk + 1, Line, 0x3);
  EXPECT_EQ(Lines.sharedSectors(1), 0);
  EXPECT_EQ(Lines.sharedSectors(4), 0);
  EXPECT_NEAR(Lines.sharedSectors(5), 2000, 20);
}

} // namespace

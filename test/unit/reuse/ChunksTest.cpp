//===- ChunksTest.cpp - When enough waves of a launch were simulated ------===//

#include "analyzer/reuse/Chunks.h"

#include <gtest/gtest.h>

using namespace warpwise::reuse;

namespace {

constexpr uint64_t Wave = 600, Quarter = 150, Blocks = 6000;
constexpr L1Room Room = {128, 1 << 13};

/// Plays a launch of one site whose blocks load a hundred sectors each.
class Launch {
public:
  Launch() : Parts(sample(), 1, Room), Rows(Parts.count()) {}

  static Sample sample() {
    Sample S;
    S.Blocks = S.AllBlocks = Blocks;
    S.compareChunksOf(Wave);
    return S;
  }
  /// Deals a quarter of a wave and lets its blocks end; \p Hits of the hundred
  /// sectors hit L1.
  void quarter(double Hits) {
    begin(Hits);
    end(Last);
    compare();
  }
  /// Each block allocates ten lines.
  void compare() { Parts.compare(Rows, Dealt, 10 * Dealt); }
  void begin(double Hits) {
    Last = Parts.of(Dealt);
    for (uint64_t I = 0; I != Quarter; ++I, ++Dealt) {
      EXPECT_EQ(Parts.of(Dealt), Last);
      Parts.started(Last);
      Traffic &T = Rows[Last];
      T.LoadSectors += 100;
      T.LoadHits += Hits;
      T.L2ReadSectors += 100 - Hits;
    }
  }
  void end(size_t Chunk) {
    for (uint64_t I = 0; I != Quarter; ++I)
      Parts.ended(Chunk);
  }
  /// Misses of lines [First, First + Count) in the chunk dealt last, each by
  /// some SMs.
  void missLines(uint64_t First, unsigned Sms = 1, uint64_t Count = 1000) {
    for (uint64_t Line = First; Line != First + Count; ++Line)
      for (unsigned Sm = 0; Sm != Sms; ++Sm)
        Parts.missed(Last, Line, 1);
  }

  Chunks Parts;
  std::vector<Traffic> Rows;
  uint64_t Dealt = 0;
  size_t Last = 0;
};

TEST(Chunks, TheChunkBehindTheFirstWaveStandsForTheRest) {
  Launch L;
  for (int I = 0; I != 4; ++I)
    L.quarter(50);
  EXPECT_FALSE(L.Parts.settled());
  L.quarter(50.4);
  ASSERT_TRUE(L.Parts.settled());
  EXPECT_EQ(L.Parts.blocks(), Wave + Quarter);
  const std::vector<double> Weights = L.Parts.weights();
  for (int I = 0; I != 4; ++I)
    EXPECT_EQ(Weights[I], 1);
  EXPECT_EQ(Weights[4], double(Blocks - Wave) / Quarter);
}

TEST(Chunks, OnlyTheChunkThatIsComparedIsDealt) {
  Launch L;
  for (int I = 0; I != 4; ++I) {
    EXPECT_FALSE(L.Parts.holdsBack(L.Dealt));
    L.begin(50);
  }
  for (size_t I = 0; I != 4; ++I)
    L.end(I);
  // What says something else does not stand for the rest, which follows after
  // one more.
  for (double Hits : {40, 45}) {
    EXPECT_FALSE(L.Parts.holdsBack(L.Dealt));
    L.begin(Hits);
    EXPECT_TRUE(L.Parts.holdsBack(L.Dealt));
    L.end(L.Last);
    L.compare();
    EXPECT_FALSE(L.Parts.settled());
  }
  L.begin(50);
  EXPECT_FALSE(L.Parts.holdsBack(L.Dealt));
}

TEST(Chunks, ThoseBeforeTheOnesThatAgreeStandForThemselves) {
  Launch L;
  for (double Hits : {50, 50, 50, 50, 52, 54, 56, 56})
    L.quarter(Hits);
  ASSERT_TRUE(L.Parts.settled());
  const std::vector<double> Weights = L.Parts.weights();
  for (int I = 0; I != 6; ++I)
    EXPECT_EQ(Weights[I], 1);
  // The last two stand for themselves and for what was not simulated.
  const double Each = double(Blocks - 6 * Quarter) / (2 * Quarter);
  EXPECT_EQ(Weights[6], Each);
  EXPECT_EQ(Weights[7], Each);
  EXPECT_EQ(Weights[8], 0);
}

TEST(Chunks, ThoseThatDifferByChanceArePutTogether) {
  Launch L;
  for (double Hits : {30, 30, 30, 30, 50, 54, 50, 54})
    L.quarter(Hits);
  EXPECT_FALSE(L.Parts.settled());
  // Two chunks say what the two before them said.
  L.quarter(50);
  ASSERT_TRUE(L.Parts.settled());
  const std::vector<double> Weights = L.Parts.weights();
  for (int I = 0; I != 5; ++I)
    EXPECT_EQ(Weights[I], 1);
  for (int I = 5; I != 9; ++I)
    EXPECT_EQ(Weights[I], double(Blocks - 5 * Quarter) / (4 * Quarter));
}

TEST(Chunks, NothingSettlesWhileItChangesSlowly) {
  // Each chunk is like the next, but not like those before.
  Launch L;
  L.quarter(90);
  for (int I = 0; I != 30; ++I) {
    L.quarter(L.Dealt < 2 * Wave ? I % 2 * 50 : 40 + 0.4 * I);
    EXPECT_FALSE(L.Parts.settled());
  }
}

TEST(Chunks, NothingSettlesWhileL1WarmsUp) {
  Launch L;
  for (int I = 0; I != 4; ++I) {
    L.quarter(50);
    L.missLines(I % 2 * 1000); // again and again, but by few SMs
  }
  // The first wave shows it, so nobody waits.
  EXPECT_FALSE(L.Parts.holdsBack(Wave + Quarter));
  for (int I = 0; I != 3; ++I) {
    L.begin(50);
    L.missLines(I % 2 * 1000);
    L.end(L.Last);
    L.compare();
    EXPECT_FALSE(L.Parts.settled());
  }
  // When only new lines miss, L1 keeps all that it ever will.
  L.begin(50);
  L.missLines(1 << 20);
  L.end(L.Last);
  L.compare();
  EXPECT_TRUE(L.Parts.settled());
}

TEST(Chunks, WarmingUpIsForeseenWhereAllReadTheSame) {
  // In each chunk, one of nine of the 128 SMs reads each of 100 lines.
  Launch L;
  const auto missesOf = [](unsigned Sms) { return 50 * Quarter + Sms * 100; };
  for (unsigned Sms : {14, 13, 12, 10, 9, 8}) {
    L.begin(100 - missesOf(Sms) / double(Quarter));
    L.missLines(0, Sms, 100);
    L.end(L.Last);
    EXPECT_FALSE(L.Parts.settled());
    L.compare();
  }
  ASSERT_TRUE(L.Parts.settled());
  // Those are missed less and less, the others as before.
  const auto missed = [&](size_t Row) {
    const Traffic T = L.Parts.foreseen(L.Rows, Row);
    return T.LoadSectors - T.LoadHits;
  };
  EXPECT_NEAR(missed(3), missesOf(10), 1e-6);
  EXPECT_NEAR(missed(4), missesOf(2), 150);
  EXPECT_NEAR(missed(5), missesOf(2), 150);
}

TEST(Chunks, BlocksThatRunSayNothing) {
  Launch L;
  for (int I = 0; I != 4; ++I)
    L.quarter(50);
  L.begin(50);
  L.compare();
  EXPECT_FALSE(L.Parts.settled());
}

TEST(Chunks, SmallWavesAreHalved) {
  Sample S;
  S.compareChunksOf(33);
  EXPECT_EQ(S.ChunkBlocks, 17u);
  EXPECT_EQ(S.ColdBlocks, 34u);
}

TEST(Chunks, SamplesThatDoNotStopHaveTwo) {
  Sample S;
  S.FirstBlock = 100;
  S.Blocks = 2 * Wave;
  S.ColdBlocks = Wave;
  S.AllBlocks = Blocks;
  Chunks Parts(S, 1, Room);
  ASSERT_EQ(Parts.count(), 2u);
  for (uint64_t Number = 0; Number != S.Blocks; ++Number) {
    EXPECT_EQ(Parts.of(Number), Number < Wave ? 0u : 1u);
    EXPECT_FALSE(Parts.holdsBack(Number));
    Parts.started(Parts.of(Number));
  }
  EXPECT_EQ(Parts.weights(),
            (std::vector<double>{1, double(Blocks - Wave) / Wave}));
}

} // namespace

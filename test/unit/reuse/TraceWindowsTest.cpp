//===- TraceWindowsTest.cpp - Long loops whose rounds are alike -----------===//

#include "Sources.h"
#include "analyzer/reuse/Simulator.h"

#include <gtest/gtest.h>

#include <utility>

using namespace warpwise::reuse;

namespace {

constexpr uint64_t Rows = uint64_t(1) << 30; ///< where the second array begins

/// Each lane walks along a row of its own, all warps along one that they share.
HandSource walk(uint32_t Blocks, uint32_t Threads, unsigned Rounds,
                unsigned Sweeps = 1) {
  return HandSource(shapeOf(Blocks, Threads), 3,
                    [=](uint64_t Block, unsigned Warp, WarpWriter &Out) {
                      const uint64_t Lane = (Block * Threads / 32 + Warp) * 32;
                      for (unsigned Sweep = 0; Sweep != Sweeps; ++Sweep)
                        for (unsigned K = 0; K != Rounds; ++K) {
                          Out.load(0, Lane * Rounds * 4 + K * 4,
                                   int64_t(Rounds) * 4);
                          Out.load(1, Rows + K * 4, 0);
                        }
                      Out.store(2, 2 * Rows + Lane * 4, 4);
                    });
}

constexpr double Many = 100e6; ///< accesses of a launch

/// Windows that are alike; 1 where there are none.
unsigned alike(HandSource Source, double Accesses = Many) {
  TraceWindows Found;
  EXPECT_EQ(findWindows(Source, Accesses, Found), "");
  return Found.All;
}

TEST(TraceWindows, LoopsGoOnAsTheyBegan) {
  EXPECT_EQ(alike(walk(4, 64, 256)), 16u);
}

TEST(TraceWindows, AreAsShortAsTheyMayBe) {
  // A window needs two of the lanes' sectors, which last eight rounds each.
  EXPECT_EQ(alike(walk(4, 64, 512)), 32u);
  EXPECT_EQ(alike(walk(4, 64, 1024)), 64u);
  EXPECT_EQ(alike(walk(4, 64, 4096)), 64u);
  // All warps' windows together must say something, too.
  EXPECT_EQ(alike(walk(4, 64, 4096), 10e6), 32u);
  EXPECT_EQ(alike(walk(4, 64, 4096), 1e6), 16u);
}

TEST(TraceWindows, TheFirstOnesTellOfAll) {
  // Each window has a little more than the one before.
  EXPECT_EQ(alike(HandSource(shapeOf(4, 64), 2,
                             [](uint64_t, unsigned, WarpWriter &Out) {
                               for (unsigned K = 0; K != 16384; ++K) {
                                 Out.load(0, K * 128, 4);
                                 if (K % 100 < 50 + K / 512)
                                   Out.load(1, Rows + K * 128, 4);
                               }
                             })),
            1u);
}

TEST(TraceWindows, WeightsAddUpToAll) {
  EXPECT_EQ((TraceWindows{64, 4}).longer(), (TraceWindows{32, 4}));
  EXPECT_EQ((TraceWindows{16, 4}).longer(), (TraceWindows{16, 6}));
  EXPECT_EQ((TraceWindows{16, 6}).longer(), TraceWindows());
  EXPECT_EQ((TraceWindows{16, 4}).weights(), (std::vector<double>{1, 1, 7, 7}));
}

TEST(TraceWindows, WhatIsReadAgainIsNotNew) {
  EXPECT_EQ(alike(walk(4, 64, 128, 2)), 1u);
}

TEST(TraceWindows, ShortTracesSayLittle) {
  EXPECT_EQ(alike(walk(4, 64, 8)), 1u);
}

TEST(TraceWindows, BlocksWithUnevenWorkAreNotAlike) {
  HandSource Triangle(shapeOf(4, 64), 1,
                      [](uint64_t, unsigned Warp, WarpWriter &Out) {
                        for (unsigned K = 0; K != 4096 * (Warp + 1); ++K)
                          Out.load(0, K * 128, 4);
                      });
  EXPECT_EQ(alike(Triangle), 1u);
}

TEST(TraceWindows, StandForTheWholeLaunch) {
  HandSource Source = walk(132, 64, 256);
  const CacheOptions Options;
  const SimulationResult All = simulate(Source, Options);
  ASSERT_TRUE(All);
  SimulationSettings Settings;
  Settings.Sampling.Adaptive = true;
  Settings.Sampling.MostAccesses = 24 << 20;
  const SimulationResult Part = simulate(Source, Options, Settings);
  ASSERT_TRUE(Part);
  ASSERT_EQ(Part.Simulated.Windows, (TraceWindows{16, 4}));
  EXPECT_NE(Part.SampleText.find("4 of 16 parts"), std::string::npos);
  // What warps ask for is counted, not estimated.
  EXPECT_EQ(Part.Total.LoadSectors, All.Total.LoadSectors);
  EXPECT_EQ(Part.Total.StoreSectors, All.Total.StoreSectors);
  EXPECT_NEAR(*Part.Total.l1ReadHitRate(), *All.Total.l1ReadHitRate(), 0.002);
  EXPECT_NEAR(*Part.Total.l2ReadHitRate(), *All.Total.l2ReadHitRate(), 0.02);
  EXPECT_NEAR(Part.Total.L2ReadSectors / All.Total.L2ReadSectors, 1, 0.02);
  EXPECT_NEAR(Part.Total.DramReadSectors / All.Total.DramReadSectors, 1, 0.02);
}

/// The traces of block 1 come in two pieces, those of the others whole.
class PartlyInPieces : public HandSource {
public:
  explicit PartlyInPieces(HandSource Whole) : HandSource(std::move(Whole)) {}
  std::string block(uint64_t Block, BlockTrace &Out) override {
    std::string Wrong = HandSource::block(Block, Out);
    Out.Rest.clear();
    if (Block == 1)
      for (WarpTrace &Warp : Out.Warps) {
        const auto Middle = Warp.begin() + ptrdiff_t(Warp.size()) / 2;
        auto Rest = std::make_unique<Piece>(WarpTrace(Middle, Warp.end()));
        Warp.erase(Middle, Warp.end());
        Out.Rest.push_back(std::move(Rest));
      }
    return Wrong;
  }

private:
  class Piece : public WarpStream {
  public:
    explicit Piece(WarpTrace Trace) : Trace(std::move(Trace)) {}
    std::string next(WarpTrace &Out) override {
      Out = std::exchange(Trace, {});
      return "";
    }

  private:
    WarpTrace Trace;
  };
};

TEST(TraceWindows, AreForWholeTracesOnly) {
  // Where only blocks that nobody looked at are longer.
  const auto Kernel = [](uint64_t Block, unsigned Warp, WarpWriter &Out) {
    for (unsigned K = 0; K != 1024; ++K)
      Out.load(0, ((Block * 8 + Warp) * 4 + K % 4) * 128, 4);
  };
  PartlyInPieces Source(HandSource(shapeOf(132, 256), 1, Kernel));
  const CacheOptions Options;
  const SimulationResult All = simulate(Source, Options);
  SimulationSettings Settings;
  Settings.Sampling.Adaptive = true;
  Settings.Sampling.MostAccesses = 24 << 20;
  const SimulationResult Part = simulate(Source, Options, Settings);
  ASSERT_TRUE(Part);
  EXPECT_TRUE(Part.Simulated.all());
  EXPECT_EQ(Part.Sites, All.Sites);
}

TEST(TraceWindows, AtomicsAreWrittenToL2) {
  HandSource Counters(shapeOf(132, 256), 1,
                      [](uint64_t Block, unsigned Warp, WarpWriter &Out) {
                        for (unsigned K = 0; K != 1024; ++K)
                          Out.request(LineAccess::Kind::Atomic, 0,
                                      ((Block * 8 + Warp) * 1024 + K) * 128, 4);
                      });
  SimulationSettings Settings;
  Settings.Sampling.Adaptive = true;
  Settings.Sampling.MostAccesses = 24 << 20;
  const SimulationResult Part = simulate(Counters, CacheOptions(), Settings);
  ASSERT_TRUE(Part);
  ASSERT_EQ(Part.Simulated.Windows, (TraceWindows{16, 4}));
  EXPECT_EQ(Part.Total.AtomicSectors, 132. * 8 * 1024 * 4);
  EXPECT_EQ(Part.Total.L2WriteSectors, Part.Total.AtomicSectors);
}

TEST(TraceWindows, SameMissesAllowForALittle) {
  Traffic A;
  A.LoadHits = -1000;
  A.L2ReadSectors = 1000;
  Traffic B = A;
  EXPECT_TRUE(sameMisses(A, B));
  B.L2ReadSectors = 870;
  EXPECT_TRUE(sameMisses(A, B));
  B.L2ReadSectors = 800;
  EXPECT_FALSE(sameMisses(A, B));
  B = A;
  B.LoadHits = -900;
  EXPECT_FALSE(sameMisses(A, B));
}

} // namespace

//===- SimulatorTest.cpp - Kernels whose figures are known ----------------===//

#include "analyzer/reuse/Simulator.h"
#include "Sources.h"

#include <gtest/gtest.h>

using namespace warpwise::reuse;

namespace {

SimulationResult run(HandSource Source, const CacheOptions &Options = {},
                     const SimulationSettings &Settings = {}) {
  SimulationResult R = simulate(Source, Options, Settings);
  EXPECT_EQ(R.Error, "");
  return R;
}

CacheOptions with(std::initializer_list<std::array<std::string_view, 2>> Sets) {
  CacheOptions O;
  for (const auto &[Name, Value] : Sets)
    EXPECT_EQ(set(O, Name, Value), "");
  return O;
}

TEST(Simulator, StreamingReadsEverySectorOnce) {
  const SimulationResult R = run(streaming(1000, 256, 2));
  const double Sectors = 1000 * 256 * 2 * 4 / 32;
  EXPECT_EQ(R.Total.LoadSectors, Sectors);
  EXPECT_EQ(R.Total.LoadRequests, 1000 * 8 * 2);
  EXPECT_EQ(R.Total.StoreSectors, Sectors);
  EXPECT_EQ(R.Total.LoadHits, 0);
  EXPECT_EQ(R.Total.StoreHits, 0);
  EXPECT_EQ(R.Total.L2ReadSectors, Sectors);
  EXPECT_EQ(R.Total.L2ReadHits, 0);
  EXPECT_EQ(R.Total.L2WriteSectors, Sectors);
  EXPECT_EQ(R.Total.DramReadSectors, Sectors);
  EXPECT_EQ(R.Sites[0].LoadSectors, Sectors);
  EXPECT_EQ(R.Sites[0].StoreSectors, 0);
  EXPECT_EQ(R.Sites[1].StoreSectors, Sectors);
}

TEST(Simulator, StridedWalkHitsSevenOfEight) {
  // A thread per row: a sector has eight floats of a row. As measured on an
  // H200 for BICG k2, whose other load is uniform; a miss of L2 brings the
  // neighbour sector as well.
  const SimulationResult R = run(stridedWalk(16, 256, 512));
  EXPECT_DOUBLE_EQ(*R.Total.l1ReadHitRate(), 0.875);
  EXPECT_NEAR(*R.Total.l2ReadHitRate(), 0.5, 0.01);
  EXPECT_NEAR(R.Total.DramReadSectors, 16 * 256 * 512 / 8, 100);
}

TEST(Simulator, StridedWalkOfModuloIndexThrashes) {
  // The rows of a warp are 16 KiB apart: with a modulo index they share four
  // sets, with the device's hash they do not (ATAX k1: 98.4 % measured).
  const SimulationResult R =
      run(stridedWalk(16, 256, 4096 / 8), with({{"l1.index", "mod"}}));
  EXPECT_LT(*R.Total.l1ReadHitRate(), 0.5);
}

TEST(Simulator, StencilReadsEachLineOnceFromDram) {
  const SimulationResult R = run(stencil(1024));
  // 5 loads of a warp: rows above and below and the row itself with one sector
  // more on either side, but at the edges.
  const double Warps = 1022 * 1024 / 32;
  EXPECT_NEAR(R.Total.LoadSectors, Warps * (4 * 3 + 5 * 2), 2 * 1024);
  EXPECT_NEAR(R.Total.DramReadSectors, 1024 * 1024 / 8, 200);
  EXPECT_NEAR(*R.Total.l1ReadHitRate(), 0.68, 0.01);
}

TEST(Simulator, MatrixProductAsMeasured) {
  // 3MM, GEMM of PolyBench at N = 512 on an H200: 92.3 to 92.5 % in L1, 83 to
  // 91 % in L2.
  const SimulationResult R = run(matrixProduct(512));
  EXPECT_EQ(R.Total.LoadSectors, 512.0 * 512 / 32 * 512 * 5);
  EXPECT_NEAR(*R.Total.l1ReadHitRate(), 0.924, 0.005);
  EXPECT_NEAR(*R.Total.l2ReadHitRate(), 0.87, 0.05);
  EXPECT_NEAR(R.Total.DramReadSectors, 2 * 512 * 512 / 8, 100);
}

TEST(Simulator, SitesAddUpAndRunsRepeat) {
  const SimulationResult A = run(matrixProduct(256));
  const SimulationResult B = run(matrixProduct(256));
  EXPECT_EQ(A.Sites, B.Sites);
  EXPECT_EQ(A.Cycles, B.Cycles);
  Traffic Sum;
  for (const Traffic &T : A.Sites)
    Sum += T;
  EXPECT_EQ(Sum, A.Total);
}

/// One warp that loads, or stores, a line, a barrier after each.
HandSource oneWarp(std::vector<std::pair<LineAccess::Kind, uint64_t>> Lines) {
  return HandSource(shapeOf(1, 32), 1,
                    [=](uint64_t, unsigned, WarpWriter &Out) {
                      for (const auto &[What, Line] : Lines) {
                        Out.request(What, 0, Line * 128, 4);
                        Out.barrier();
                      }
                    });
}

/// Warps whose threads read an array of 16 words: their own, or a part of
/// global memory.
HandSource readsItsFrame(unsigned Blocks, bool IsLocal) {
  LaunchShape Shape = shapeOf(Blocks, 256);
  Shape.LocalBytesPerWarp = 16 * 128;
  return HandSource(
      Shape, 1, [=](uint64_t Block, unsigned Warp, WarpWriter &Out) {
        const uint64_t Frame =
            IsLocal ? LocalMemoryBase : (Block * 8 + Warp) * 16 * 128;
        for (unsigned Word = 0; Word != 16; ++Word)
          IsLocal ? Out.local(0, Frame + Word * 128)
                  : Out.load(0, Frame + Word * 128, 4);
      });
}

TEST(Simulator, LaterBlocksFindTheFramesOfEarlierOnes) {
  CacheOptions O = with({{"sm.count", "4"}});
  // 8 blocks of 8 warps have room on each SM, with 16 lines each.
  const double Resident = 4.0 * 8 * 8 * 16 * 4, All = 400.0 * 8 * 16 * 4;
  const SimulationResult Local = run(readsItsFrame(400, true), O);
  EXPECT_EQ(Local.Total.LoadSectors, All);
  EXPECT_LE(Local.Total.DramReadSectors, Resident);
  EXPECT_GE(Local.Total.DramReadSectors, Resident / 2);
  EXPECT_EQ(run(readsItsFrame(400, false), O).Total.DramReadSectors, All);
}

TEST(Simulator, OnlyLocalMemoryUsesL1WhereGlobalLoadsPassIt) {
  const CacheOptions O = with({{"l1.bypass", "global"}});
  HandSource Global =
      oneWarp({{LineAccess::Kind::Load, 1}, {LineAccess::Kind::Load, 1}});
  EXPECT_EQ(run(Global, O).Total.LoadHits, 0);
  EXPECT_EQ(run(Global).Total.LoadHits, 4);
  HandSource Local(shapeOf(1, 32), 1, [](uint64_t, unsigned, WarpWriter &Out) {
    for (int N = 0; N != 2; ++N) {
      Out.local(0, LocalMemoryBase);
      Out.barrier();
    }
  });
  EXPECT_EQ(run(Local, O).Total.LoadHits, 4);
}

TEST(Simulator, StorePolicies) {
  const auto Kernel = [] {
    return oneWarp({{LineAccess::Kind::Store, 1},
                    {LineAccess::Kind::Load, 1},
                    {LineAccess::Kind::Store, 1},
                    {LineAccess::Kind::Load, 1}});
  };
  EXPECT_EQ(run(Kernel()).Total.LoadHits, 8);
  EXPECT_EQ(run(Kernel()).Total.StoreHits, 4);
  const SimulationResult No =
      run(Kernel(), with({{"l1.stores", "no-allocate"}}));
  EXPECT_EQ(No.Total.LoadHits, 4);
  EXPECT_EQ(No.Total.StoreHits, 4);
  const SimulationResult Evict = run(Kernel(), with({{"l1.stores", "evict"}}));
  EXPECT_EQ(Evict.Total.LoadHits, 0);
  EXPECT_EQ(Evict.Total.StoreHits, 4);
  EXPECT_EQ(Evict.Total.L2WriteSectors, 8);
}

TEST(Simulator, Bypassing) {
  const auto Kernel = [] {
    return oneWarp({{LineAccess::Kind::Load, 1},
                    {LineAccess::Kind::Store, 2},
                    {LineAccess::Kind::Load, 2},
                    {LineAccess::Kind::Load, 1}});
  };
  EXPECT_EQ(run(Kernel()).Total.LoadHits, 8);
  EXPECT_EQ(run(Kernel(), with({{"l1.bypass", "won"}})).Total.LoadHits, 4);
  const SimulationResult All = run(Kernel(), with({{"l1.bypass", "rwon"}}));
  EXPECT_EQ(All.Total.LoadHits, 0);
  EXPECT_EQ(All.Total.L2ReadSectors, 12);
  EXPECT_EQ(All.Total.L2ReadHits, 8);
}

TEST(Simulator, AtomicsPassL1) {
  const SimulationResult R = run(
      oneWarp({{LineAccess::Kind::Atomic, 1}, {LineAccess::Kind::Load, 1}}));
  EXPECT_EQ(R.Total.AtomicSectors, 4);
  EXPECT_EQ(R.Total.StoreSectors, 0);
  EXPECT_EQ(R.Total.LoadHits, 0);
  EXPECT_EQ(R.Total.L2WriteSectors, 4);
}

TEST(Simulator, PendingSectorsCountAsHits) {
  // Two loads of one line, the second while the first is under way.
  HandSource Kernel(shapeOf(1, 32), 1, [](uint64_t, unsigned, WarpWriter &Out) {
    Out.load(0, 0, 4);
    Out.load(0, 0, 4);
  });
  EXPECT_EQ(run(Kernel).Total.LoadHits, 4);
  EXPECT_EQ(run(Kernel, with({{"l1.pending", "miss"}})).Total.LoadHits, 0);
  EXPECT_EQ(run(Kernel, with({{"l1.pending", "miss"}})).Total.L2ReadSectors, 4);
}

TEST(Simulator, BarriersOrderWarps) {
  // Warp 0 loads a line; the others load it after the barrier only. Without
  // one of the warps at the barrier, it is not needed there.
  HandSource Kernel(shapeOf(1, 128), 2,
                    [](uint64_t, unsigned Warp, WarpWriter &Out) {
                      if (Warp == 3)
                        return;
                      if (Warp == 0)
                        Out.load(0, 0, 4);
                      Out.barrier();
                      if (Warp != 0)
                        Out.load(1, 0, 4);
                    });
  const SimulationResult R =
      run(std::move(Kernel), with({{"l1.pending", "miss"}}));
  EXPECT_EQ(R.Sites[0].LoadHits, 0);
  EXPECT_EQ(R.Sites[1].LoadHits, 8);
}

TEST(Simulator, LinesOfOtherSizes) {
  const double Sectors = 16 * 256 * 512;
  for (std::string_view Line : {"32", "64", "256", "1024"}) {
    const SimulationResult R =
        run(stridedWalk(16, 256, 512),
            with({{"l1.line", Line}, {"l1.capacity", "4M"}}));
    EXPECT_EQ(R.Total.LoadSectors, Sectors);
    EXPECT_DOUBLE_EQ(*R.Total.l1ReadHitRate(), 0.875) << Line;
  }
  // Without sectors a miss brings the whole line.
  const SimulationResult Whole = run(
      stridedWalk(16, 256, 512),
      with({{"l1.line", "256"}, {"l1.fill", "256"}, {"l1.capacity", "8M"}}));
  EXPECT_DOUBLE_EQ(*Whole.Total.l1ReadHitRate(), 1 - 1.0 / 64);
  EXPECT_DOUBLE_EQ(Whole.Total.L2ReadSectors, Sectors / 8);
}

TEST(Simulator, MissRegistersLimitWhatIsUnderWay) {
  const SimulationResult Free = run(streaming(132, 1024, 16));
  const SimulationResult Few =
      run(streaming(132, 1024, 16), with({{"l1.mshr_size", "4"}}));
  EXPECT_EQ(Free.Total.L2ReadSectors, Few.Total.L2ReadSectors);
  EXPECT_GT(Few.Cycles, 2 * Free.Cycles);
}

/// Every SM reads the same lines once.
HandSource shared(unsigned Lines) {
  return HandSource(shapeOf(132, 32), 1,
                    [=](uint64_t, unsigned, WarpWriter &Out) {
                      for (unsigned I = 0; I != Lines; ++I)
                        Out.load(0, I * 128, 4);
                    });
}

TEST(Simulator, MissesOfAGroupAreMerged) {
  const SimulationResult Apart = run(shared(50), with({{"merge.window", "0"}}));
  EXPECT_EQ(Apart.Total.L2ReadSectors, 132 * 50 * 4);
  EXPECT_EQ(Apart.Total.DramReadSectors, 50 * 4);
  // The far side misses too, if it is the first to ask or the line's home is
  // not its own.
  const double Misses = Apart.Total.L2ReadSectors - Apart.Total.L2ReadHits;
  EXPECT_GT(Misses, 50 * 4);
  EXPECT_LE(Misses, 2 * 50 * 4);
  EXPECT_LT(run(shared(50)).Total.L2ReadSectors, 132 * 50 * 4 / 2);
  const SimulationResult OneSide =
      run(shared(50), with({{"merge.window", "0"}, {"l2.partitions", "1"}}));
  EXPECT_EQ(OneSide.Total.L2ReadSectors - OneSide.Total.L2ReadHits, 50 * 4);
}

TEST(Simulator, WarpsInAnyOrderKeepTogether) {
  // Eight warps read the same lines: by chance another is the first, and the
  // next lines are not read before all had those. A cache of a few lines is
  // enough, and runs repeat.
  HandSource Kernel(shapeOf(4, 256), 1,
                    [](uint64_t Block, unsigned, WarpWriter &Out) {
                      for (unsigned I = 0; I != 500; ++I)
                        Out.load(0, (Block * 500 + I) * 128, 4);
                    });
  const CacheOptions O = with({{"sm.lead", "8"}, {"l1.capacity", "8K"}});
  const SimulationResult R = run(Kernel, O);
  EXPECT_NEAR(*R.Total.l1ReadHitRate(), 0.875, 0.002);
  EXPECT_EQ(run(Kernel, O).Cycles, R.Cycles);
}

TEST(Simulator, StoresOfOtherWarpsAreMerged) {
  // Eight warps that do the same (ATAX k2: an eighth reaches L2).
  HandSource Kernel(shapeOf(4, 256), 1,
                    [](uint64_t Block, unsigned, WarpWriter &Out) {
                      for (unsigned I = 0; I != 20; ++I)
                        Out.store(0, (Block * 20 + I) * 128, 4);
                    });
  const SimulationResult R = run(Kernel, with({{"sm.order", "rr"}}));
  EXPECT_EQ(R.Total.StoreSectors, 4 * 8 * 20 * 4);
  EXPECT_EQ(R.Total.L2WriteSectors, 4 * 20 * 4);
  // One warp that repeats itself is not merged.
  const SimulationResult Same = run(
      oneWarp({{LineAccess::Kind::Store, 1}, {LineAccess::Kind::Store, 1}}));
  EXPECT_EQ(Same.Total.L2WriteSectors, 8);
}

TEST(Simulator, LoadsWaitForDram) {
  HandSource Kernel(shapeOf(132, 1024), 1,
                    [](uint64_t Block, unsigned Warp, WarpWriter &Out) {
                      for (unsigned I = 0; I != 50; ++I)
                        Out.load(0, ((Block * 32 + Warp) * 50 + I) * 128, 4);
                    });
  const double Bytes = 132 * 32 * 50 * 128;
  const auto Cycles = [&](const char *BytesPerCycle) {
    return double(
        run(Kernel, with({{"dram.bandwidth", BytesPerCycle}})).Cycles);
  };
  EXPECT_NEAR(Cycles("500"), Bytes / 500, Bytes / 5000);
  EXPECT_NEAR(Cycles("1000"), Bytes / 1000, Bytes / 10000);
  EXPECT_LT(Cycles("0"), Bytes / 2000);
}

TEST(Simulator, WarpsWaitUntilL2TakesTheirStores) {
  // As in a matrix product that stores its sum in every round. The last stores
  // are still under way when the warps end.
  HandSource Kernel(shapeOf(132, 1024), 1,
                    [](uint64_t Block, unsigned Warp, WarpWriter &Out) {
                      for (unsigned I = 0; I != 50; ++I)
                        Out.store(0, (Block * 32 + Warp) * 128, 4);
                    });
  const double Bytes = 132 * 32 * 50 * 128;
  const auto Cycles = [&](const char *BytesPerCycle) {
    return double(
        run(Kernel, with({{"l2.store_bandwidth", BytesPerCycle}})).Cycles);
  };
  EXPECT_NEAR(Cycles("1000"), Bytes / 1000, Bytes / 10000);
  EXPECT_NEAR(Cycles("2000"), Bytes / 2000, Bytes / 10000);
  EXPECT_LT(Cycles("0"), Bytes / 8000);
}

TEST(Simulator, SharedMemoryTakesL1Away) {
  // A block of 1024 threads sweeps 200 KiB twice.
  const auto Sweep = [](uint32_t SharedBytes) {
    LaunchShape Shape = shapeOf(132, 1024);
    Shape.SharedBytesPerBlock = SharedBytes;
    return HandSource(
        Shape, 1, [](uint64_t Block, unsigned Warp, WarpWriter &Out) {
          for (unsigned I = 0; I != 100; ++I)
            Out.load(0, Block % 132 * (100 << 10) + (I % 50 * 32 + Warp) * 128,
                     4);
        });
  };
  EXPECT_NEAR(*run(Sweep(0)).Total.l1ReadHitRate(), 0.5, 0.01);
  EXPECT_LT(*run(Sweep(100 << 10)).Total.l1ReadHitRate(), 0.3);
}

TEST(Simulator, ReuseProfilesAgreeWithOtherCaches) {
  SimulationSettings Settings;
  Settings.ReuseDistances = true;
  Settings.ReuseSampleShift = 0;
  // Equal times, so that the order of accesses is the same in all caches.
  CacheOptions O = with({{"l1.capacity", "16K"},
                         {"l1.ways", "4"},
                         {"sm.loads_in_flight", "1000"},
                         {"l2.jitter", "0"},
                         {"sm.order", "rr"},
                         {"sm.count", "4"}});
  const SimulationResult R = run(matrixProduct(128), O, Settings);
  ASSERT_TRUE(R.L1Reuse && R.L2Reuse);
  EXPECT_EQ(R.L1Reuse->Sets, 32u);
  EXPECT_DOUBLE_EQ(R.L1Reuse->BySet.hitRatio(4), *R.Total.l1ReadHitRate());
  ASSERT_EQ(set(O, "l1.capacity", "8K"), "");
  ASSERT_EQ(set(O, "l1.ways", "2"), "");
  const SimulationResult Half = run(matrixProduct(128), O);
  EXPECT_NEAR(R.L1Reuse->BySet.hitRatio(2), *Half.Total.l1ReadHitRate(), 0.02);
  EXPECT_LE(R.L1Reuse->Full.hitRatio(64), R.L1Reuse->Full.hitRatio(128));
}

TEST(Simulator, SaysWhatIsWrong) {
  HandSource Source = streaming(1, 32);
  EXPECT_EQ(simulate(Source, with({{"l1.line", "96"}})).Error,
            "l1.line is not a power of two");
  class Broken : public HandSource {
  public:
    Broken() : HandSource(streaming(4, 32)) {}
    std::string block(uint64_t Block, BlockTrace &Out) override {
      return Block == 2 ? "buffer 'x' is missing"
                        : HandSource::block(Block, Out);
    }
  } Other;
  EXPECT_EQ(simulate(Other, CacheOptions()).Error, "buffer 'x' is missing");
}

/// Gives the traces of another source in pieces of some requests.
class InPieces : public TraceSource {
public:
  InPieces(HandSource Whole, size_t Accesses)
      : Whole(std::move(Whole)), Accesses(Accesses) {}
  const LaunchShape &shape() const override { return Whole.shape(); }
  const std::vector<warpwise::Place> &sites() const override {
    return Whole.sites();
  }
  std::string block(uint64_t Block, BlockTrace &Out) override {
    if (std::string Wrong = Whole.block(Block, Out); !Wrong.empty())
      return Wrong;
    Out.Rest.clear();
    for (WarpTrace &Warp : Out.Warps) {
      auto Rest = std::make_unique<Stream>(std::move(Warp), Accesses);
      Warp.clear();
      EXPECT_EQ(Rest->next(Warp), "");
      Out.Rest.push_back(std::move(Rest));
    }
    return "";
  }

private:
  class Stream : public WarpStream {
  public:
    Stream(WarpTrace Trace, size_t Accesses)
        : Trace(std::move(Trace)), Accesses(Accesses) {}
    std::string next(WarpTrace &Out) override {
      Out.clear();
      while (At != Trace.size() &&
             (Out.size() < Accesses || !Out.back().Last)) {
        if (Trace[At].Site == 99)
          return "the stream is broken";
        Out.push_back(Trace[At++]);
      }
      return "";
    }

  private:
    WarpTrace Trace;
    size_t Accesses, At = 0;
  };
  HandSource Whole;
  size_t Accesses;
};

TEST(Simulator, PiecesSayWhatTheWholeSays) {
  const SimulationResult Whole = run(matrixProduct(128));
  for (size_t Accesses : {1, 7, 100, 10000}) {
    InPieces Source(matrixProduct(128), Accesses);
    const SimulationResult R = simulate(Source, CacheOptions());
    ASSERT_EQ(R.Error, "");
    EXPECT_EQ(R.Sites, Whole.Sites);
    EXPECT_EQ(R.Cycles, Whole.Cycles);
    EXPECT_EQ(R.Accesses, Whole.Accesses);
  }
}

TEST(Simulator, PiecesTakeLittleMemory) {
  // No two warps do the same; the last access of each stands before a barrier.
  const auto Kernel = [](uint64_t Block, unsigned Warp, WarpWriter &Out) {
    uint64_t State = Block * 2 + Warp + 1;
    for (unsigned I = 0; I != 1000; ++I) {
      State = State * 6364136223846793005 + 1442695040888963407;
      Out.load(0, State >> 40, 4);
    }
    Out.barrier();
  };
  const SimulationResult Whole = run(HandSource(shapeOf(4, 64), 1, Kernel));
  InPieces Source(HandSource(shapeOf(4, 64), 1, Kernel), 20);
  const SimulationResult R = simulate(Source, CacheOptions());
  ASSERT_EQ(R.Error, "");
  EXPECT_EQ(R.Sites, Whole.Sites);
  EXPECT_LT(R.TraceBytes, Whole.TraceBytes / 20);
}

TEST(Simulator, SaysWhatIsWrongWithAPiece) {
  InPieces Source(HandSource(shapeOf(4, 64), 1,
                             [](uint64_t, unsigned, WarpWriter &Out) {
                               Out.load(0, 0, 4);
                               Out.load(0, 128, 4);
                               Out.load(99, 0, 4);
                             }),
                  1);
  EXPECT_EQ(simulate(Source, CacheOptions()).Error, "the stream is broken");
}

TEST(Simulator, KeepsTracesOfResidentBlocksOnly) {
  // Warps that share nothing: each a walk of its own.
  HandSource Kernel(
      shapeOf(2000, 32), 1, [](uint64_t Block, unsigned, WarpWriter &Out) {
        uint64_t State = Block + 1;
        for (unsigned I = 0; I != 50; ++I) {
          State = State * 6364136223846793005 + 1442695040888963407;
          Out.load(0, State >> 40, 4);
        }
      });
  CacheOptions O = with({{"sm.count", "2"}, {"sm.blocks", "4"}});
  const SimulationResult R = run(Kernel, O);
  EXPECT_LE(R.TraceBytes, 2 * 4 * 50 * 2 * 8u);
  SimulationSettings Settings;
  Settings.MostTraceBytes = R.TraceBytes * 3 / 4;
  // Too few SMs to leave any out.
  EXPECT_EQ(simulate(Kernel, O, Settings).Error,
            "the traces of the blocks on one SM need more than 0 MiB");
  O = with({{"sm.count", "32"}, {"sm.blocks", "4"}});
  const SimulationResult More = run(Kernel, O);
  Settings.MostTraceBytes = More.TraceBytes * 3 / 4;
  const SimulationResult Less = run(Kernel, O, Settings);
  EXPECT_EQ(Less.Simulated.SmStride, 2u);
  EXPECT_NEAR(Less.Total.LoadSectors / More.Total.LoadSectors, 1, 0.05);
}

} // namespace

//===- GainTest.cpp - What a repair would gain ----------------------------===//

#include "PriceKernels.h"

#include "analyzer/price/Gain.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <span>
#include <utility>

namespace warpwise::price {
namespace {

using access::Operation;
using access::Space;
using testing::Ge;
using testing::Le;

/// A block that adds up first makes one atomic of 256; what it does for it is
/// small beside that, but not nothing.
TEST(GainTest, BlocksThatAddUpHitAWordOnce) {
  access::Kernel K = copyOf(8 << 20);
  access::Access &A = K.Accesses[1];
  A.Op = Operation::Atomic;
  A.Of.Holds = access::Element::Kind::Float;
  access::Cost &C = A.PerLaunch[0];
  C.Sectors = 1;
  C.Reach = access::Footprint{.FreshSectors = 0.125,
                              .UsedBytes = 0.125,
                              .FreshBeside = {0, 0, 0},
                              .OwnSectors = 0.125,
                              .OwnBytes = 0.125};
  const Repair Cure[] = {{.Access = 1, .AddsUp = Accumulation{}}};
  const auto G = gainOf(K, 0, Cure, h200());
  ASSERT_TRUE(G);
  EXPECT_EQ(G->BoundBy, "atomics");
  EXPECT_GT(G->Factor, 100);
  EXPECT_LT(G->Factor, 257);

  // In shared memory it is a warp that adds up.
  A.Memory = access::Space::Shared;
  C.Wavefronts = 2;
  C.SwapRounds = 32;
  C.Reach = access::Footprint{.ForeignTurns = 0.875};
  const auto InShared = gainOf(K, 0, Cure, h200());
  ASSERT_TRUE(InShared);
  EXPECT_GT(InShared->Factor, 2);

  // Words for which shared memory has no room are added up nowhere.
  A.Memory = access::Space::Global;
  const Repair TooMany[] = {{.Access = 1, .AddsUp = Accumulation{1e6, 4}}};
  EXPECT_FALSE(gainOf(K, 0, TooMany, h200()));
}

TEST(GainTest, SectorsThatNobodyUsesCost) {
  access::Kernel K = copyOf(64 << 20, 32, 32);
  K.Accesses[0].PerLaunch[0].Reach->UsedBytes = 0.125;
  const Repair Cure[] = {{.Access = 0, .Sectors = 4}};
  const auto G = gainOf(K, 0, Cure, h200());
  ASSERT_TRUE(G);
  EXPECT_GT(G->Factor, 2.9);
  EXPECT_THAT(G->Low, Le(G->Sure)) << "parts of the times may be off, too";
  EXPECT_LT(G->Sure, G->Factor);
  EXPECT_THAT(G->High, Ge(G->Factor));
}

/// What the compiler leaves out has nothing to repair: the rest is priced, and
/// alone it is no repair.
TEST(GainTest, WhatTheCompilerLeavesOutNeedsNoCure) {
  access::Kernel K = copyOf(64 << 20, 32, 32);
  K.Accesses[0].PerLaunch[0].Reach->UsedBytes = 0.125;
  K.Accesses.push_back(K.Accesses[0]);
  K.Accesses[2].Kept = 0;
  const Repair Both[] = {{.Access = 0, .Sectors = 4},
                         {.Access = 2, .Sectors = 4}};
  const auto All = gainOf(K, 0, Both, h200());
  const auto One = gainOf(K, 0, std::span(Both, 1), h200());
  ASSERT_TRUE(All && One);
  EXPECT_DOUBLE_EQ(All->Factor, One->Factor);
  EXPECT_FALSE(gainOf(K, 0, std::span(Both + 1, 1), h200()));
}

/// What data decide may come out at less, and what registers may hold at more.
TEST(GainTest, TheIntervalHoldsWhatIsNotDecided) {
  access::Kernel K = copyOf(64 << 20, 32, 32);
  K.Accesses[0].PerLaunch[0].Reach->UsedBytes = 0.125;
  const auto gain = [&](const Repair &Its) {
    return gainOf(K, 0, std::span(&Its, 1), h200()).value();
  };
  const Gain Sure = gain({.Access = 0, .Sectors = 4});
  const Gain Unsure = gain({.Access = 0, .Sectors = 4, .SectorsAtWorst = 16});
  EXPECT_EQ(Unsure.Factor, Sure.Factor);
  EXPECT_EQ(Unsure.High, Sure.High);
  EXPECT_LT(Unsure.Low, 0.8 * Sure.Low);
}

/// A private array that registers may hold takes no shared memory then, and the
/// instructions that remain are as many as before: its own are not among them.
TEST(GainTest, RegistersMayHoldAPrivateArray) {
  access::Kernel K = copyOf(1 << 20);
  K.Accesses.push_back(K.Accesses.front());
  K.Accesses[2].Memory = Space::Local;
  K.Accesses[2].Bytes = 4;
  const auto gain = [&](double ThreadBytes, bool MayVanish) {
    const Repair Cure[] = {
        {.Access = 2, .IntoShared = ThreadBytes, .MayVanish = MayVanish}};
    return gainOf(K, 0, Cure, h200()).value();
  };
  // One block of it fits an SM.
  K.Works[0].ChainSteps = 2000;
  const Gain Crowded = gain(800, false), Free = gain(800, true);
  EXPECT_LT(Crowded.Factor, 0.6);
  EXPECT_EQ(Free.Factor, Crowded.Factor);
  EXPECT_EQ(Free.Low, Crowded.Low);
  EXPECT_GT(Free.High, 1);

  K.Works[0].ChainSteps = 0;
  K.Works[0].Issued[unsigned(access::Pipe::Memory)] = 1e8;
  K.Accesses[2].PerLaunch[0].Weight = 0.9e8;
  const auto total = [](const access::Kernel &Its) {
    return timeOf(demandsOf(Its, 0), h200(), Caches::Warm).Total;
  };
  const double High = gain(4, true).High, Now = total(K);
  K.Accesses.pop_back();
  EXPECT_GT(High, Now / total(K));
  EXPECT_LT(High, 2.5 * Now / total(K));
}

/// In shared memory each access of it is issued, and its place computed.
TEST(GainTest, WhatMovesIntoSharedMemoryIsIssued) {
  access::Kernel K = copyOf(1 << 20);
  K.Accesses.push_back(K.Accesses.front());
  K.Accesses[2].Memory = Space::Local;
  K.Accesses[2].Bytes = 4;
  K.Accesses[2].PerLaunch[0].Weight = 1e7;
  K.Works[0].Issued[unsigned(access::Pipe::Sum)] = 4e8;
  const auto total = [](const access::Kernel &Its) {
    return timeOf(demandsOf(Its, 0), h200(), Caches::Warm).Total;
  };
  const Repair Cure[] = {{.Access = 2, .IntoShared = 4}};
  const double Moved = total(K) / gainOf(K, 0, Cure, h200()).value().Factor;
  K.Accesses.pop_back();
  K.Works[0].Issued[unsigned(access::Pipe::Sum)] += 1e7;
  EXPECT_GT(Moved, total(K));
}

/// A gain hangs on how much longer one part takes than the next: where they are
/// nearly as long, each of them may be what bounds the kernel.
TEST(GainTest, PartsThatAreNearlyAsLongWidenTheInterval) {
  const auto widthIf = [](double ChainSteps) {
    access::Kernel K = copyOf(8 << 20);
    K.Accesses.push_back(K.Accesses[0]);
    K.Accesses[2].Memory = Space::Shared;
    K.Accesses[2].PerLaunch[0].Wavefronts = 64;
    K.Works[0].ChainSteps = ChainSteps;
    const Repair Cure[] = {{.Access = 2, .Wavefronts = 1}};
    const Gain G = gainOf(K, 0, Cure, h200()).value();
    return std::pair(G.Factor, std::log(G.High / G.Low) / std::log(G.Factor));
  };
  const auto [Alone, Narrow] = widthIf(0);
  const auto [Beside, Wide] = widthIf(600);
  EXPECT_GT(Alone, Beside);
  EXPECT_GT(Beside, 1.2);
  EXPECT_GT(Wide, 1.2 * Narrow);
}

/// As few blocks as bring the same bytes: their launch was the bound.
TEST(GainTest, LargerBlocksAreLaunchedFaster) {
  access::Kernel K = copyOf(64 << 20);
  K.Works[0].BlockThreads = 32;
  K.Works[0].Blocks *= 8;
  const Reshape Larger{.Blocks = 1.0 / 8, .BlockThreads = 8};
  const auto G = gainOf(K, 0, {}, h200(), Larger);
  ASSERT_TRUE(G);
  EXPECT_EQ(G->BoundBy, "the launch of blocks");
  EXPECT_GT(G->Factor, 2);
  EXPECT_FALSE(gainOf(K, 0, {}, h200()));
}

/// Threads with four results each: as many loads and stores, fewer blocks.
TEST(GainTest, SeveralResultsAThreadAreFewerBlocks) {
  access::Kernel K = copyOf(64 << 20);
  K.Works[0].BlockThreads = 32;
  K.Works[0].Blocks *= 8;
  const auto G = gainOf(K, 0, {}, h200(), Reshape{.Results = 4});
  ASSERT_TRUE(G);
  EXPECT_EQ(G->BoundBy, "the launch of blocks");
  EXPECT_GT(G->Factor, 2);
  EXPECT_LT(G->Factor, 4);

  // Larger tiles have to find room.
  K.Works[0].SharedBytes = 100 << 10;
  EXPECT_FALSE(gainOf(K, 0, {}, h200(), Reshape{.Results = 4}));

  // As much is to be computed as before.
  K = copyOf(64 << 20);
  K.Works[0].Issued[unsigned(access::Pipe::Integer)] = 1e9;
  const auto Little = gainOf(K, 0, {}, h200(), Reshape{.Results = 4});
  ASSERT_TRUE(Little);
  EXPECT_EQ(Little->BoundBy, "instructions");
  EXPECT_LT(Little->Factor, 1.05);
  EXPECT_GT(Little->Factor, 0.98) << "fewer blocks are spread less evenly";
}

/// What is done for an access alone goes with it, in part.
TEST(GainTest, WorkForAnAccessGoesWithIt) {
  access::Kernel K = copyOf(1 << 20);
  double &Sums = K.Works[0].Issued[unsigned(access::Pipe::Sum)];
  Sums = 1e8;
  K.Accesses[0].PerLaunch[0].IssuedAlone[unsigned(access::Pipe::Sum)] = 1e8;
  const Repair Half[] = {{.Access = 0, .Share = 0.5}};
  const auto Requests = gainOf(K, 0, Half, h200());
  const Repair WithIts[] = {{.Access = 0, .Share = 0.5, .AloneShare = 0.5}};
  const auto All = gainOf(K, 0, WithIts, h200());
  ASSERT_TRUE(Requests && All);
  EXPECT_LT(Requests->Factor, 1.05);
  EXPECT_NEAR(All->Factor, 2, 0.1);
}

/// Where threads walk along in a loop there are as many blocks as before, with
/// fewer rounds.
TEST(GainTest, LongerElementsInALoopAreFewerRounds) {
  access::Kernel K = copyOf(64 << 20);
  K.Works[0].Blocks = 32;
  const double Rounds = 64.0 * (1 << 20) / 4 / 256 / 32;
  K.Works[0].ChainSteps = Rounds;
  for (access::Access &A : K.Accesses) {
    A.LoopDepth = 1;
    A.PerLaunch[0].PerWarp = Rounds;
    A.Waits = A.Op == Operation::Load;
  }
  const Repair Cure[] = {{.Access = 0, .ElementsPerThread = 4}};
  const auto G = gainOf(K, 0, Cure, h200());
  ASSERT_TRUE(G);
  EXPECT_EQ(G->BoundBy, "latency");
  EXPECT_GT(G->Factor, 3);
  EXPECT_LE(G->Factor, 4.1);
}

/// Neighbouring elements share the divisions that say where they are, if all
/// accesses become wider ones.
TEST(GainTest, WhatLeadsToElementsIsShared) {
  access::Kernel K = copyOf(64 << 20);
  const double Warps = 64.0 * (1 << 20) / 4 / 32;
  K.Works[0].Issued[unsigned(access::Pipe::Sum)] = 100 * Warps;
  const Repair Cure[] = {{.Access = 0, .ElementsPerThread = 2}};
  const auto Apart = gainOf(K, 0, Cure, h200());
  K.Works[0].Leading[unsigned(access::Pipe::Sum)] = 90 * Warps;
  const auto Shared = gainOf(K, 0, Cure, h200());
  // Data choose where one of them goes.
  K.Accesses[1].PerLaunch[0].State = access::Proof::DataDependent;
  const auto Chosen = gainOf(K, 0, Cure, h200());
  ASSERT_TRUE(Apart && Shared && Chosen);
  EXPECT_LT(Apart->Factor, 1.3);
  EXPECT_GT(Shared->Factor, 1.4);
  EXPECT_LT(Chosen->Factor, 1.3);
}

/// What each of several elements of a thread wants elsewhere stays as many
/// requests.
TEST(GainTest, WhatDataChooseIsNotWidened) {
  access::Kernel K = copyOf(64 << 20);
  access::Access Table = K.Accesses[0];
  Table.Memory = access::Space::Shared;
  Table.PerLaunch[0].Wavefronts = 4;
  const Repair Cure[] = {{.Access = 0, .ElementsPerThread = 4}};
  const auto gain = [&](access::Proof State, bool TripsKnown) {
    access::Kernel Its = K;
    Table.PerLaunch[0].State = State;
    if (!TripsKnown)
      Table.LoopDepth = 1;
    Its.Works[0].TripsKnown = TripsKnown;
    Its.Works[0].ChainSteps = 100;
    for (int N = 0; N != 4; ++N)
      Its.Accesses.push_back(Table);
    return gainOf(Its, 0, Cure, h200());
  };
  const auto SideBySide = gain(access::Proof::Exact, true),
             Chosen = gain(access::Proof::DataDependent, true),
             InLoops = gain(access::Proof::Exact, false);
  ASSERT_TRUE(SideBySide && Chosen && InLoops);
  EXPECT_GT(SideBySide->Factor, Chosen->Factor + 0.1);
  EXPECT_GT(SideBySide->Factor, InLoops->Factor + 0.1)
      << "loops that data end run one after the other";
}

/// A load that asks first costs what a load does, and leaves few atomics.
TEST(GainTest, AtomicsThatChangeNothingCanBeLeftOut) {
  access::Kernel K = copyOf(4 << 20);
  access::Access &Atomic = K.Accesses[1];
  Atomic.Op = access::Operation::Atomic;
  Atomic.PerLaunch[0].Sectors = 32;
  access::Footprint &Words = *Atomic.PerLaunch[0].Reach;
  const auto gain = [&](double Changes, double Fresh) {
    Words.FreshSectors = Words.FreshRequests = Fresh;
    const Repair Cure[] = {{.Access = 1, .Changes = Changes}};
    return gainOf(K, 0, Cure, h200());
  };
  // L1 has most of the words.
  const auto Few = gain(0.05, 0.02), Half = gain(0.5, 0.02),
             All = gain(1, 0.02), FromL2 = gain(0.05, 1);
  ASSERT_TRUE(Few && Half && All && FromL2);
  EXPECT_LT(FromL2->Factor, 1) << "a load from L2 takes as long as an atomic";
  EXPECT_GT(Few->Factor, Half->Factor);
  EXPECT_GT(Few->Factor, 1.2);
  EXPECT_LE(All->Factor, 1) << "nothing is saved, and a load comes to it";
}

/// The rounds of a sum are shared out: as many requests, of more blocks, each
/// of which stores.
TEST(GainTest, SharedOutLoopsOccupyMoreOfTheGpu) {
  access::Kernel K = copyOf(64 << 20);
  K.Works[0].Blocks = 32;
  const double Rounds = 64.0 * (1 << 20) / 4 / 256 / 32;
  K.Works[0].ChainSteps = Rounds;
  access::Access &Load = K.Accesses[0], &Store = K.Accesses[1];
  Load.LoopDepth = 1;
  Load.RoundsAddUp = true;
  Load.PerLaunch[0].PerWarp = Rounds;
  Store.PerLaunch[0].Weight = 32 * 8;
  const auto Four = gainOf(K, 0, {}, h200(), Reshape{.Parts = 4});
  const auto Many = gainOf(K, 0, {}, h200(), Reshape{.Parts = 1024});
  ASSERT_TRUE(Four && Many);
  EXPECT_EQ(Four->BoundBy, "latency");
  EXPECT_NEAR(Four->Factor, 4, 0.5);
  EXPECT_LT(Many->Factor, 200) << "DRAM is as fast as before, and all store";

  // Rounds that need each other are no work for others.
  Load.RoundsAddUp = false;
  const auto Chain = gainOf(K, 0, {}, h200(), Reshape{.Parts = 4});
  ASSERT_TRUE(Chain);
  EXPECT_LT(Chain->Factor, 1.1);
}

/// Blocks that do nothing are not launched; those that work are as many.
TEST(GainTest, IdleBlocksTakeTheirTurn) {
  access::Kernel K = copyOf(64 << 20);
  K.Works[0].BlockThreads = 32;
  K.Works[0].Blocks *= 16;
  K.Works[0].IdleBlocks = 0.5;
  const auto G = gainOf(K, 0, {}, h200(), Reshape{.IdleBlocks = 0});
  ASSERT_TRUE(G);
  EXPECT_EQ(G->BoundBy, "the launch of blocks");
  EXPECT_NEAR(G->Factor, 2, 0.2);
}

/// As many lanes in fewer requests; those whose lanes are all there already
/// stay as many, so that each of half as many warps waits for twice as many.
TEST(GainTest, FullerWarpsAreFewer) {
  const auto gainOfLanes = [](double Lanes) {
    access::Kernel K = copyOf(132 * 256 * 4);
    K.Accesses.pop_back();
    access::Access &A = K.Accesses[0];
    A.LoopDepth = 1;
    access::Cost &C = A.PerLaunch[0];
    C.ActiveLanes = Lanes;
    C.PerWarp = 4096;
    C.Weight *= 4096;
    C.Reach->FreshSectors = C.Reach->FreshRequests = 1 / 4096.0;
    const auto G =
        gainOf(K, 0, {}, h200(), Reshape{.BlockThreads = 0.5, .Lanes = 2});
    EXPECT_TRUE(G && G->BoundBy == "latency");
    return G ? G->Factor : 0;
  };
  EXPECT_NEAR(gainOfLanes(16), 1, 0.1);
  EXPECT_NEAR(gainOfLanes(32), 0.5, 0.05);
}

/// What one index selects from two arrays is as often missed as from one; the
/// parts of an element are missed by whoever comes first.
TEST(GainTest, PartsOfAnElementComeTogether) {
  access::Kernel K = copyOf(64 << 20, 32, 32);
  K.Accesses.insert(K.Accesses.begin() + 1, K.Accesses.front());
  const Repair Cure[] = {{.Access = 1, .Share = 0, .With = 0}};
  K.Accesses[0].Root = 0;
  K.Accesses[1].Root = 1;
  const auto Arrays = gainOf(K, 0, Cure, h200());
  ASSERT_TRUE(Arrays);
  EXPECT_NEAR(Arrays->Factor, 2, 0.3);

  K.Accesses[1].Root = 0;
  for (size_t N = 0; N != 2; ++N)
    K.Accesses[N].PerLaunch[0].Reach->FreshSectors = 0.5;
  const auto Members = gainOf(K, 0, Cure, h200());
  ASSERT_TRUE(Members);
  EXPECT_LT(Members->Factor, Arrays->Factor);
}

/// Wider lanes move as much by fewer requests.
TEST(GainTest, VectorsAreFewerRequests) {
  access::Kernel K = copyOf(4 << 20);
  access::Cost &C = K.Accesses[0].PerLaunch[0];
  K.Accesses[0].Bytes = 1;
  C.Sectors = C.IdealSectors = 1;
  C.Weight *= 64;
  C.Reach->FreshSectors = C.Reach->FreshRequests = 1 / 64.0;
  K.Works[0].Issued[unsigned(access::Pipe::Memory)] = C.Weight;
  const Repair Cure[] = {{.Access = 0, .AtOnce = 4}};
  const auto G = gainOf(K, 0, Cure, h200());
  ASSERT_TRUE(G);
  EXPECT_EQ(G->BoundBy, "the load and store unit");
  EXPECT_GT(G->Factor, 2);
}

TEST(GainTest, RequestsThatAreLeftOutCostNothing) {
  access::Kernel K = copyOf(64 << 20, 32, 32);
  K.Accesses.push_back(K.Accesses.front());
  const Repair Cure[] = {{.Access = K.Accesses.size() - 1, .Share = 0.01}};
  const auto G = gainOf(K, 0, Cure, h200());
  ASSERT_TRUE(G);
  EXPECT_GT(G->Factor, 1.2);
}

/// Results that are stored twice reach DRAM once: the first store's bytes go
/// there with the second, unless that one goes elsewhere.
TEST(GainTest, WhatIsWrittenAgainIsWrittenAnyway) {
  access::Kernel K = copyOf(256 << 20);
  K.Accesses[1].Root = 1;
  K.Accesses.push_back(K.Accesses[1]);
  access::Footprint Again;
  Again.FreshSectors = 0;
  K.Accesses[2].PerLaunch[0].Reach = Again;
  const Repair Cure[] = {{.Access = 1, .Share = 0}};
  const auto Same = gainOf(K, 0, Cure, h200());
  K.Accesses[2].Root = 2;
  const auto Other = gainOf(K, 0, Cure, h200());
  ASSERT_TRUE(Same && Other);
  EXPECT_LT(Same->Factor, 1.05); // its requests
  EXPECT_GT(Other->Factor, 1.1);
}

TEST(GainTest, ARepairOfWhatIsNotTheLimitGainsNothing) {
  access::Kernel K = copyOf(1 << 30);
  access::Access Shared;
  Shared.Memory = Space::Shared;
  access::Cost C;
  C.State = access::Proof::Exact;
  C.Wavefronts = 2;
  C.IdealWavefronts = 1;
  C.Weight = double(1 << 30) / 4 / 32;
  C.PerWarp = 1;
  Shared.PerLaunch = {C};
  K.Accesses.push_back(Shared);
  const Repair Cure[] = {{.Access = 2, .Wavefronts = 1}};
  const auto G = gainOf(K, 0, Cure, h200());
  ASSERT_TRUE(G);
  EXPECT_LT(G->High, 1.05);
}

/// Data may keep lanes from their atomics: what is hidden behind them may
/// count.
TEST(GainTest, AtomicsOnlyLowerTheGain) {
  access::Kernel K = copyOf(64 << 20, 32, 32);
  K.Accesses[0].PerLaunch[0].Reach->UsedBytes = 0.125;
  access::Access Counter;
  Counter.Memory = Space::Global;
  Counter.Op = Operation::Atomic;
  Counter.Bytes = 4;
  access::Cost C;
  C.State = access::Proof::Exact;
  C.ActiveLanes = 32;
  C.Sectors = C.IdealSectors = 1;
  C.Lines = C.LinePasses = 1;
  C.Weight = double(64 << 20) / 4 / 32;
  C.PerWarp = 1;
  // The same word for all blocks.
  C.Reach = access::Footprint{.FreshSectors = 0.125,
                              .UsedBytes = 0.125,
                              .FreshBeside = {0, 0, 0},
                              .OwnSectors = 0.125,
                              .OwnBytes = 0.125};
  Counter.PerLaunch = {C};
  K.Accesses.push_back(Counter);
  const Repair Cure[] = {{.Access = 0, .Sectors = 4}};
  const auto G = gainOf(K, 0, Cure, h200());
  ASSERT_TRUE(G);
  EXPECT_EQ(G->BoundBy, "atomics");
  EXPECT_LT(G->Factor, 1.05);
  EXPECT_GT(G->High, 3);
}

/// A store behind a loop of unknown length: nothing is promised that a longer
/// loop would take back.
TEST(GainTest, LoopsOfUnknownLengthHideWhatLiesBehindThem) {
  access::Kernel K = copyOf(64 << 20);
  for (access::Access &A : K.Accesses)
    A.Trips = 1;
  K.Accesses[1].PerLaunch[0].Sectors = 32;
  const Repair Cure[] = {{.Access = 1, .Sectors = 4}};
  const double Known = gainOf(K, 0, Cure, h200())->Factor;
  K.Accesses[0].Trips.reset();
  K.Accesses[0].LoopDepth = 2;
  K.Works[0].TripsKnown = false;
  const double Unknown = gainOf(K, 0, Cure, h200())->Factor;
  EXPECT_GT(Known, 2.8);
  EXPECT_LT(Unknown, 1.5);
}

/// An unknown grid is taken for one that fills the GPU.
TEST(GainTest, UnknownGridHasNoTime) {
  access::Kernel K = copyOf(1024 * 1024, 32, 32);
  K.Works[0].IsWholeGrid = false;
  K.Works[0].Blocks = 1;
  K.Launches[0].Grid.reset();
  for (access::Access &A : K.Accesses)
    A.PerLaunch[0].Weight = 8;
  const Repair Cure[] = {{.Access = 0, .Sectors = 4}};
  const auto G = gainOf(K, 0, Cure, h200());
  ASSERT_TRUE(G);
  EXPECT_FALSE(G->Microseconds);
  EXPECT_GT(G->Factor, 1.5);
}

/// Or for a larger one, whose data L2 does not hold: what DRAM hides is not
/// promised, only held to be possible.
TEST(GainTest, UnknownGridMayBeLargerThanL2) {
  constexpr double Rounds = 64;
  const auto gain = [](uint32_t Blocks, bool IsKnown) {
    access::Kernel K = copyOf(Blocks * 1024.0 * Rounds);
    K.Works[0].Blocks = IsKnown ? Blocks : 1;
    K.Works[0].IsWholeGrid = IsKnown;
    K.Launches[0].Grid.reset();
    if (IsKnown)
      K.Launches[0].Grid = {{Blocks, 1, 1}};
    for (unsigned N = 0; N != 2; ++N) {
      access::Access &A = K.Accesses[N];
      A.Root = N;
      A.LoopDepth = 1;
      A.PerLaunch[0].PerWarp = Rounds;
      A.PerLaunch[0].Weight = 8 * Rounds * K.Works[0].Blocks;
    }
    const Repair Cure[] = {{.Access = 0, .Waits = 0.1}};
    return gainOf(K, 0, Cure, h200()).value();
  };
  const Gain Small = gain(264, true), Large = gain(1 << 17, true),
             Unknown = gain(0, false);
  EXPECT_GT(Small.Factor, 1.5);
  EXPECT_LT(Large.Factor, 1.2);
  EXPECT_LT(Unknown.Factor, 1.2);
  EXPECT_GT(Unknown.High, Unknown.Factor);
}

/// What is not told apart of a call is priced as what is known of it.
TEST(GainTest, UnknownGridIsPricedAsThatOfTheSameCall) {
  access::Kernel K = copyOf(12 * 1024);
  K.Launches[0].Source = launch::ShapeSource::Launch;
  K.Launches[0].At = {"host.cu", 88, 0};
  K.Launches.push_back(K.Launches[0]);
  K.Launches[1].Grid.reset();
  K.Works.push_back(K.Works[0]);
  K.Works[1].IsWholeGrid = false;
  EXPECT_EQ(pricedFor(K, 0), 0u);
  EXPECT_EQ(pricedFor(K, 1), 0u);
  K.Launches[0].IsSpecial = true; // made for one value of a variable
  EXPECT_EQ(pricedFor(K, 1), 1u);
  K.Launches[0].IsSpecial = false;
  K.Launches[0].At.Line = 99;
  EXPECT_EQ(pricedFor(K, 1), 1u);
}

/// A loop over sizes is priced by the largest of them.
TEST(GainTest, SizesOfOneCallArePricedByTheLargest) {
  access::Kernel K = copyOf(12 * 1024);
  K.Launches[0].Source = launch::ShapeSource::Launch;
  K.Launches[0].At = {"host.cu", 88, 0};
  K.Launches.push_back(K.Launches[0]);
  K.Works.push_back(K.Works[0]);
  K.Works[1].Blocks *= 64;
  EXPECT_EQ(pricedFor(K, 0), 1u);
  EXPECT_EQ(pricedFor(K, 1), 1u);
  K.Launches[0].Block[0] *= 2; // which may be what is wrong with it
  EXPECT_EQ(pricedFor(K, 0), 0u);
}

/// The bus is in no profile.
TEST(GainTest, WhatIsElsewhereHasNoPrice) {
  access::Kernel K = copyOf(1024 * 1024, 32);
  const Repair Cure[] = {{.Access = 0, .Sectors = 4}};
  ASSERT_TRUE(gainOf(K, 0, Cure, h200()));
  K.Accesses[1].PerLaunch[0].IsElsewhere = true;
  EXPECT_FALSE(gainOf(K, 0, Cure, h200()));
  EXPECT_FALSE(standingOf(K, 0, h200()));
}

/// A quotient of what is no time is no gain.
TEST(GainTest, WithoutTimesThereIsNoGain) {
  access::Kernel K = copyOf(1 << 20, 32, 32);
  const Repair Cure[] = {{.Access = 0, .Sectors = 4}};
  EXPECT_TRUE(gainOf(K, 0, Cure, h200()));
  K.Works[0].ChainSteps = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(gainOf(K, 0, Cure, h200()));
  K.Works[0].ChainSteps = std::nan("");
  EXPECT_FALSE(gainOf(K, 0, Cure, h200()));

  // Nothing takes any time of a device whose launches are free.
  access::Kernel Empty = copyOf(1 << 20);
  Empty.Accesses.clear();
  DeviceRates Free = h200();
  Free.LaunchNs = Free.Refill = 0;
  Free.BlockInterval = {};
  EXPECT_FALSE(gainOf(Empty, 0, {}, Free, Reshape{.Blocks = 0.5}));
}

TEST(GainTest, WithoutWorkThereIsNoPrice) {
  access::Kernel K = copyOf(1024);
  K.Works.clear();
  const Repair Cure[] = {{.Access = 0, .Sectors = 4}};
  EXPECT_FALSE(gainOf(K, 0, Cure, h200()));
}

} // namespace
} // namespace warpwise::price

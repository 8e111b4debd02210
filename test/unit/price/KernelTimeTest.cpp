//===- KernelTimeTest.cpp - How long a launch takes, and why --------------===//

#include "PriceKernels.h"

#include "analyzer/price/KernelTime.h"

#include <gmock/gmock.h>

#include <optional>

namespace warpwise::price {
namespace {

using access::Operation;
using access::Space;
using testing::AllOf;
using testing::Ge;
using testing::Le;

/// Each of a few SMs gets more out of L2 than each of all.
TEST(KernelTimeTest, FewSmsAreInNobodysWay) {
  const auto l2Of = [](uint32_t Blocks) {
    access::Kernel K = copyOf(Blocks * 1024.0, 32, 32);
    return timeOf(demandsOf(K, 0), h200(), Caches::Warm).L2;
  };
  EXPECT_NEAR(l2Of(4), l2Of(1), 0.1 * l2Of(1));
  EXPECT_GT(l2Of(132), 2 * l2Of(1));
}

/// Lines come while words are handed out to lanes that differ; a word that all
/// want is free where its line is there.
TEST(KernelTimeTest, ConstantsThatTheCacheHasLost) {
  const DeviceRates Device = h200();
  const auto clocksOf = [&](double Words, double LostLines) {
    access::Kernel K = copyOf(1 << 26);
    access::Access &A = K.Accesses.front();
    A.Memory = Space::Constant;
    access::Cost &C = A.PerLaunch.front();
    C.Words = Words;
    C.Reach->LostLines = LostLines;
    const double Requests = C.Weight / Device.Sms;
    return timeOf(demandsOf(K, 0), Device, Caches::Warm).Constant *
           Device.ClockMhz / 1e3 / Requests;
  };
  EXPECT_EQ(clocksOf(1, 0), 0);
  EXPECT_NEAR(clocksOf(1, 1), Device.PerConstantLine, 0.1);
  EXPECT_GT(Device.PerConstantLine, Device.PerConstantLineInStep);
  EXPECT_LT(Device.PerConstantLine, Device.PerConstantLineApart);
  EXPECT_NEAR(clocksOf(32, 0), 32 * Device.PerConstantWord, 0.1);
  EXPECT_NEAR(clocksOf(32, 2), 32 * Device.PerConstantWord, 0.1);
}

/// A float a thread: the H200 reaches 2694 GB/s of its 4286 with that
/// (bandwidth.plain.float), since it cannot hand out blocks any faster.
TEST(KernelTimeTest, OneElementAThreadIsBoundByTheLaunchOfBlocks) {
  const KernelTime T =
      timeOf(demandsOf(copyOf(1 << 30), 0), h200(), Caches::Warm);
  EXPECT_EQ(T.boundBy(), "the launch of blocks");
  const double Measured = 2 * double(1 << 30) / 2694; // ns
  EXPECT_THAT(T.Total, AllOf(Ge(0.85 * Measured), Le(1.15 * Measured)));
}

TEST(KernelTimeTest, WhatFitsL2StaysThere) {
  const Demands D = demandsOf(copyOf(8 << 20), 0);
  EXPECT_EQ(timeOf(D, h200(), Caches::Warm).Dram, 0);
  EXPECT_GT(timeOf(D, h200(), Caches::Cold).Dram, 0);
}

/// What bulk copies bring is read like what warps load, and has no other cost.
TEST(KernelTimeTest, BulkCopiesAreRead) {
  constexpr double Bytes = 1 << 30;
  access::Kernel Loads = copyOf(Bytes), Copies = Loads;
  Copies.Accesses.erase(Copies.Accesses.begin()); // the load
  Copies.Works[0].BulkBytes = Bytes;
  const auto timesOf = [](const access::Kernel &K) {
    return timeOf(demandsOf(K, 0), h200(), Caches::Cold);
  };
  EXPECT_NEAR(timesOf(Copies).Dram, timesOf(Loads).Dram,
              0.01 * timesOf(Loads).Dram);
  const double Latency = timesOf(Copies).Latency;
  Copies.Works[0].BulkBytes = 0;
  EXPECT_EQ(timesOf(Copies).Latency, Latency);
}

/// What is read lies in L2 once more, on the side of the SMs that want it, and
/// of a little too much only a part is lost.
TEST(KernelTimeTest, WhatIsReadOrWrittenTakesTwoPlacesInL2) {
  const auto dramPerByte = [](double Megabytes, double Copied) {
    DeviceRates Device = h200();
    Device.L2CopiedShare = Copied;
    const double Bytes = Megabytes * (1 << 20);
    return timeOf(demandsOf(copyOf(Bytes), 0), Device, Caches::Warm).Dram /
           Bytes;
  };
  EXPECT_NEAR(h200().L2CopiedShare, 0.5, 0.01);
  EXPECT_EQ(dramPerByte(26, 0), 0) << "52 MiB of 58";
  EXPECT_EQ(dramPerByte(16, 0.5), 0) << "56 MiB of 58";
  EXPECT_GT(dramPerByte(19, 0.5), 0) << "66 MiB of 58";
  EXPECT_LT(dramPerByte(19, 0.5), 0.9 * dramPerByte(40, 0.5));
}

/// Twenty rows of blocks read the same: from DRAM once where L2 has room for
/// what a row of them reads, each time where it has not, but for blocks that
/// run at the same time.
TEST(KernelTimeTest, L2LosesWhatARowOfBlocksReads) {
  const auto timesRead = [](double Megabytes, uint32_t BlocksOfARow) {
    const double Bytes = Megabytes * (1 << 20);
    access::Kernel K = copyOf(20 * Bytes);
    K.Accesses.pop_back();
    K.Launches[0].Grid = {{BlocksOfARow, 20, 1}};
    K.Works[0].Blocks = 20.0 * BlocksOfARow;
    K.Accesses[0].PerLaunch[0].Reach->FreshBeside = {1, 0, 1};
    const DeviceRates Device = h200();
    return timeOf(demandsOf(K, 0), Device, Caches::Cold).Dram *
           Device.ClockMhz / 1e3 * Device.DramReadBytes / Bytes;
  };
  EXPECT_NEAR(timesRead(20, 16384), 1, 0.01);
  EXPECT_NEAR(timesRead(200, 16384), 20, 0.1);
  EXPECT_NEAR(timesRead(200, 264), 5, 0.1) << "four rows at a time";
}

/// What a block reads again is a hit in L1, or in L2 where global loads pass L1
/// by. DRAM brings it once in either case.
TEST(KernelTimeTest, LoadsThatPassL1ByAreServedByL2) {
  access::Kernel K = copyOf(1 << 28);
  access::Footprint &Reach = *K.Accesses[0].PerLaunch[0].Reach;
  Reach.FreshSectors = Reach.FreshRequests = 0.1;
  DeviceRates Device = h200();
  const KernelTime Through = timeOf(demandsOf(K, 0), Device, Caches::Cold);
  Device.GlobalLoadsUseL1 = false;
  const KernelTime Past = timeOf(demandsOf(K, 0), Device, Caches::Cold);
  EXPECT_GT(Past.L2, 1.1 * Through.L2);
  EXPECT_GT(Past.Latency, Through.Latency);
  EXPECT_EQ(Past.Dram, Through.Dram);
}

/// An array that is changed in place is read and written back, and takes its
/// place in L2 once.
TEST(KernelTimeTest, WhatIsReadAndWrittenHasOnePlace) {
  const auto timeIf = [](bool InPlace, double Bytes) {
    access::Kernel K = copyOf(Bytes);
    K.Accesses[1].PerLaunch[0].Reach->AlsoRead = InPlace;
    return timeOf(demandsOf(K, 0), h200(), Caches::Warm).Dram;
  };
  EXPECT_EQ(timeIf(true, 256 << 20), timeIf(false, 256 << 20));
  EXPECT_GT(timeIf(false, 32 << 20), 0) << "two arrays are too much for L2";
  EXPECT_EQ(timeIf(true, 32 << 20), 0) << "one is not";
}

/// What all blocks read L2 brings to an SM once, if it has room in L1 beside
/// what else a block reads; windows that slide along meet no distant block.
TEST(KernelTimeTest, L1KeepsWhatTheNextBlockWantsToo) {
  const auto timeWith = [](double SameAlongX, double SharedBytes) {
    access::Kernel K = copyOf(64 << 20);
    K.Accesses[0].PerLaunch[0].Reach->SameBeside[0] = SameAlongX;
    K.Works[0].SharedBytes = SharedBytes;
    return timeOf(demandsOf(K, 0), h200(), Caches::Warm).L2;
  };
  EXPECT_LT(timeWith(1, 0), 0.9 * timeWith(0, 0));
  EXPECT_EQ(timeWith(0.5, 0), timeWith(0, 0));
  EXPECT_EQ(timeWith(1, h200().L1Capacity), timeWith(0, 0));
}

/// Columns of blocks read the same: those that one SM runs come back to the few
/// columns that it meets, as far as L1 has room for these.
TEST(KernelTimeTest, L1KeepsTheColumnsThatComeBack) {
  const auto l2With = [](uint32_t Columns) {
    access::Kernel K = copyOf(64 << 20);
    const uint32_t Blocks = (*K.Launches[0].Grid)[0];
    K.Launches[0].Grid = {{Columns, Blocks / Columns, 1}};
    K.Accesses[0].PerLaunch[0].Reach->SameBeside = {0, 1, 0};
    return timeOf(demandsOf(K, 0), h200(), Caches::Warm).L2;
  };
  EXPECT_LT(l2With(16), 0.9 * l2With(1 << 16)) << "four columns for each SM";
}

/// What a warp comes back to is gone if the warps of the SM touch more lines
/// meanwhile than L1 has.
TEST(KernelTimeTest, L1GivesUpWhatIsWantedTooLate) {
  const auto l2With = [](unsigned Lines) {
    access::Kernel K = copyOf(64 << 20, 32, 32);
    access::Footprint &Seen = *K.Accesses[0].PerLaunch[0].Reach;
    Seen.FreshSectors = Seen.FreshRequests = 0.125;
    Seen.Again[Lines] = 0.875;
    return timeOf(demandsOf(K, 0), h200(), Caches::Warm).L2;
  };
  EXPECT_EQ(l2With(0), l2With(3));
  EXPECT_GT(l2With(8), 3 * l2With(0));
}

/// What registers have no room for goes to L2 and back in every round of a
/// loop, and takes longer than the rest of the kernel.
TEST(KernelTimeTest, SpillsAreStoresAndLoads) {
  access::Kernel K = copyOf(8 << 20);
  const double Before = timeOf(demandsOf(K, 0), h200(), Caches::Warm).Total;
  K.SpillStores = K.SpillLoads = 64;
  K.Works[0].MostRuns = 32;
  const KernelTime T = timeOf(demandsOf(K, 0), h200(), Caches::Warm);
  EXPECT_EQ(T.boundBy(), "L2");
  EXPECT_GT(T.Total, 10 * Before);
}

/// Sectors that lie anywhere in DRAM take longer than as many side by side.
TEST(KernelTimeTest, RandomSectorsTakeLonger) {
  access::Kernel K = copyOf(256 << 20, 32, 32);
  access::Cost &C = K.Accesses[0].PerLaunch[0];
  C.Reach->UsedBytes = 0.125;
  const double Strided = timeOf(demandsOf(K, 0), h200(), Caches::Cold).Dram;
  C.State = access::Proof::DataDependent;
  const double Random = timeOf(demandsOf(K, 0), h200(), Caches::Cold).Dram;
  EXPECT_GT(Random, 2.5 * Strided);
}

/// A table that is known to fit in L2 stays there, however much is read in a
/// row beside it.
TEST(KernelTimeTest, L2KeepsATableThatIsWantedOften) {
  const auto dramWith = [](std::optional<uint64_t> Bytes) {
    access::Kernel K = copyOf(256 << 20);
    access::Access Gather = copyOf(256 << 20, 32, 32).Accesses[0];
    access::Cost &C = Gather.PerLaunch[0];
    C.State = access::Proof::DataDependent;
    C.IsIndexed = true;
    C.Reach.reset();
    C.ObjectBytes = Bytes;
    K.Accesses.push_back(Gather);
    return timeOf(demandsOf(K, 0), h200(), Caches::Warm).Dram;
  };
  const double Streams =
      timeOf(demandsOf(copyOf(256 << 20), 0), h200(), Caches::Warm).Dram;
  EXPECT_LT(dramWith(4 << 20), 1.05 * Streams);
  EXPECT_GT(dramWith(4ull << 30), 5 * Streams);
  EXPECT_EQ(dramWith({}), dramWith(1ull << 40));
}

/// What several accesses choose from one table takes its place once.
TEST(KernelTimeTest, AccessesToATableShareItsPlace) {
  const auto dramOf = [](bool OneTable) {
    access::Kernel K;
    for (unsigned N = 0; N != 8; ++N) {
      access::Kernel Gather = copyOf(64 << 20, 32, 32);
      access::Access A = Gather.Accesses[0];
      A.Root = OneTable ? 0 : N;
      access::Cost &C = A.PerLaunch[0];
      C.State = access::Proof::DataDependent;
      C.IsIndexed = true;
      C.Reach.reset();
      C.ObjectBytes = 12 << 20;
      Gather.Accesses = K.Accesses;
      K = Gather;
      K.Accesses.push_back(A);
    }
    return timeOf(demandsOf(K, 0), h200(), Caches::Warm).Dram;
  };
  EXPECT_EQ(dramOf(true), 0);
  EXPECT_GT(dramOf(false), 0);
}

/// A block that chooses from a small table has soon seen all of it; L1 has no
/// room for a large one.
TEST(KernelTimeTest, L1HoldsASmallTable) {
  const auto l2With = [](uint64_t Bytes) {
    access::Kernel K = copyOf(64 << 20, 32, 32);
    K.Accesses.pop_back();
    access::Cost &C = K.Accesses[0].PerLaunch[0];
    C.Weight *= 64; // requests of a warp
    C.State = access::Proof::DataDependent;
    C.IsIndexed = true;
    C.Reach.reset();
    C.ObjectBytes = Bytes;
    return timeOf(demandsOf(K, 0), h200(), Caches::Warm).L2;
  };
  EXPECT_LT(l2With(4 << 10), 0.05 * l2With(16 << 20));
  EXPECT_GT(l2With(1 << 20), 0.5 * l2With(16 << 20));
}

/// The second time that a block goes through a long row, L2 has lost it where
/// the rows of all blocks that run have no room.
TEST(KernelTimeTest, L2LosesALongRow) {
  const auto dramWith = [](unsigned Lines) {
    access::Kernel K = copyOf(1 << 30);
    access::Access Second = K.Accesses[0];
    access::Footprint &Seen = *Second.PerLaunch[0].Reach;
    Seen.FreshSectors = Seen.FreshRequests = 0;
    Seen.Again[Lines] = 1;
    K.Accesses.push_back(Second);
    return timeOf(demandsOf(K, 0), h200(), Caches::Warm).Dram;
  };
  EXPECT_EQ(dramWith(0), dramWith(2));
  EXPECT_GT(dramWith(8), 1.3 * dramWith(0));
}

/// Loads that are volatile pass L1 by, and all warps want one line of L2.
TEST(KernelTimeTest, VolatileLoadsOfOneLineTakeTurns) {
  const auto l2With = [](access::Access::Kind Sort, double Fresh) {
    access::Kernel K = copyOf(64 << 20, 1, 1);
    K.Accesses.pop_back();
    K.Accesses[0].Sort = Sort;
    access::Footprint &Seen = *K.Accesses[0].PerLaunch[0].Reach;
    Seen.FreshSectors = Seen.FreshRequests = 0.125;
    Seen.FreshBeside = {Fresh, 1, 1};
    return timeOf(demandsOf(K, 0), h200(), Caches::Warm).L2;
  };
  using Kind = access::Access::Kind;
  const double Own = l2With(Kind::Volatile, 1);
  EXPECT_GT(Own, 5 * l2With(Kind::Plain, 1));
  EXPECT_GT(l2With(Kind::Volatile, 0), 5 * Own);
}

/// Constant memory along which loops count: later blocks are out of step.
TEST(KernelTimeTest, ConstantsThatALoopCounts) {
  const auto constantOf = [](bool IsCounted, uint64_t Bytes, double Size) {
    access::Kernel K = copyOf(Size);
    K.Accesses.pop_back();
    K.Accesses[0].Memory = Space::Constant;
    K.Accesses[0].IsCounted = IsCounted;
    access::Cost &C = K.Accesses[0].PerLaunch[0];
    C.Words = 1;
    C.ObjectBytes = Bytes;
    return timeOf(demandsOf(K, 0), h200(), Caches::Warm).Constant;
  };
  EXPECT_EQ(constantOf(false, 1 << 10, 64 << 20), 0);
  const double Small = constantOf(true, 256, 64 << 20);
  EXPECT_GT(Small, 0);
  EXPECT_GT(constantOf(true, 1 << 10, 64 << 20), 2 * Small);
  EXPECT_EQ(constantOf(true, 1 << 10, 1 << 20), constantOf(true, 256, 1 << 20));
}

/// A request of a warp that is switched off takes a pass, too, and each barrier
/// longer with more warps.
TEST(KernelTimeTest, WarpsThatOnlyComeAlong) {
  access::Kernel K = copyOf(64 << 20);
  const KernelTime Before = timeOf(demandsOf(K, 0), h200(), Caches::Warm);
  K.Works[0].SwitchedOff = 1e6;
  K.Works[0].Barriers = 1;
  const KernelTime After = timeOf(demandsOf(K, 0), h200(), Caches::Warm);
  EXPECT_GT(After.LoadStore, Before.LoadStore);
  EXPECT_GT(After.Latency, Before.Latency);
  K.Works[0].BlockThreads = 1024;
  K.Works[0].Barriers = 0;
  const KernelTime Large = timeOf(demandsOf(K, 0), h200(), Caches::Warm);
  K.Works[0].Barriers = 1;
  EXPECT_GT(timeOf(demandsOf(K, 0), h200(), Caches::Warm).Latency -
                Large.Latency,
            After.Latency - Before.Latency);
}

/// What the stores of a record's members fill together is written once, as long
/// as a request touches few lines. What is stored twice is written twice.
TEST(KernelTimeTest, StoresOfARecordAreMerged) {
  const auto timeWith = [](double Sectors, double Lines,
                           std::optional<double> Shared) {
    access::Kernel K = copyOf(64 << 20);
    access::Cost &C = K.Accesses[1].PerLaunch[0];
    C.Sectors = Sectors;
    C.Lines = Lines;
    C.SharedSectors = Shared;
    return timeOf(demandsOf(K, 0), h200(), Caches::Warm).L2;
  };
  const double Whole = timeWith(4, 1, {});
  EXPECT_LT(timeWith(12, 3, 4), 1.5 * Whole);
  EXPECT_GT(timeWith(12, 3, {}), 2.5 * Whole) << "nothing to merge with";
  EXPECT_LT(timeWith(20, 5, 4), timeWith(20, 5, {}));
  EXPECT_DOUBLE_EQ(timeWith(32, 16, 4), timeWith(32, 16, {}));
  EXPECT_DOUBLE_EQ(timeWith(4, 1, 0.5), Whole);
}

/// Stores that fill each other's sectors reach L2 together, unless the warp
/// waits for a load between them (point-cloud-interleaved: 57 us on an H100, 37
/// by way of shared memory).
TEST(KernelTimeTest, StoresWithAWaitBetweenThemAreNotMerged) {
  const auto timeWith = [](unsigned First, unsigned Second) {
    access::Kernel K = copyOf(64 << 20);
    access::Access A = K.Accesses[1];
    A.Group = 1;
    A.WaitGroup = First;
    A.PerLaunch[0].Sectors = 12;
    A.PerLaunch[0].Lines = 3;
    A.PerLaunch[0].SharedSectors = 4;
    K.Accesses[1] = A;
    A.WaitGroup = Second;
    K.Accesses.push_back(A);
    return timeOf(demandsOf(K, 0), h200(), Caches::Warm).L2;
  };
  EXPECT_GT(timeWith(1, 2), 1.8 * timeWith(1, 1));
}

/// Requests that begin in one line and end in the next take longer where these
/// have just been asked for, and no longer where they are there
/// (test/gpu/hits-under-way).
TEST(KernelTimeTest, LinesUnderWayTakeLonger) {
  const auto timeWith = [](double Lines, double FreshRequests) {
    access::Kernel K = copyOf(64 << 20);
    access::Cost &C = K.Accesses[0].PerLaunch[0];
    C.Lines = Lines;
    C.Reach->FreshSectors = 0;
    C.Reach->FreshRequests = FreshRequests;
    return timeOf(demandsOf(K, 0), h200(), Caches::Warm).LoadStore;
  };
  EXPECT_DOUBLE_EQ(timeWith(2, 0), timeWith(1, 0));
  EXPECT_DOUBLE_EQ(timeWith(1, 0.25), timeWith(1, 0));
  EXPECT_GT(timeWith(2, 0.25), 1.1 * timeWith(2, 0));
  EXPECT_GT(timeWith(2, 0.25), timeWith(2, 0.05));
}

/// Rounds of a loop that are written out together share a wait, unless there
/// are fewer of them each time that a warp comes there: an element or two of a
/// tile (electrode-energies-four-stages).
TEST(KernelTimeTest, FewRoundsOfAnInnerLoopWaitOneByOne) {
  const auto timeWith = [](double Rounds) {
    access::Kernel K = copyOf(64 << 20);
    access::Access &A = K.Accesses[0];
    A.LoopDepth = 2;
    A.Waits = 0.25;
    A.WaitGroup = 0;
    A.PerLaunch[0].PerWarp = 192;
    A.PerLaunch[0].RoundsPerEntry = Rounds;
    return timeOf(demandsOf(K, 0), h200(), Caches::Warm).Latency;
  };
  EXPECT_NEAR(timeWith(2) / timeWith(8), 4, 0.1);
  EXPECT_NEAR(timeWith(1.25) / timeWith(2), 1.6, 0.01) << "two of the slowest";
  EXPECT_DOUBLE_EQ(timeWith(4), timeWith(8));
}

/// Rounds of a loop that one wide load serves are one request; of lanes side by
/// side it still takes as many passes.
TEST(KernelTimeTest, WideLoadsOfSharedMemory) {
  const auto timeWith = [](std::optional<double> Joined, unsigned Rounds) {
    access::Kernel K = copyOf(64 << 20);
    access::Access &A = K.Accesses[0];
    A.Memory = Space::Shared;
    A.RoundsAtOnce = Rounds;
    A.PerLaunch[0].Wavefronts = 1;
    A.PerLaunch[0].JoinedWavefronts = Joined;
    A.PerLaunch[0].Sectors.reset();
    return timeOf(demandsOf(K, 0), h200(), Caches::Warm).LoadStore;
  };
  EXPECT_LT(timeWith(1, 4), timeWith({}, 1));
  EXPECT_LT(timeWith(2, 4), timeWith({}, 1));
  EXPECT_DOUBLE_EQ(timeWith(4, 4), timeWith({}, 1));
  EXPECT_DOUBLE_EQ(timeWith({}, 4), timeWith({}, 1)) << "data decide";
}

/// A copy past the registers takes the load and store unit longer than the load
/// and the store that it stands for, a small one by more. What nobody measured
/// costs nothing.
TEST(KernelTimeTest, AsynchronousCopiesCostMore) {
  const auto timeIf = [](access::Access::Kind Sort, unsigned Bytes,
                         const DeviceRates &Device) {
    access::Kernel K = copyOf(64 << 20);
    K.Accesses[0].Sort = Sort;
    K.Accesses[0].Bytes = Bytes;
    return timeOf(demandsOf(K, 0), Device, Caches::Warm).LoadStore;
  };
  const auto extra = [&](unsigned Bytes, const DeviceRates &Device) {
    return timeIf(access::Access::Kind::AsyncCopy, Bytes, Device) -
           timeIf(access::Access::Kind::Plain, Bytes, Device);
  };
  DeviceRates Device = h200();
  EXPECT_GT(extra(4, Device), 1.5 * extra(16, Device));
  EXPECT_GT(extra(16, Device), 0);
  Device.PerAsyncCopy = {};
  EXPECT_EQ(extra(4, Device), 0);
}

/// Private arrays of which the threads together have more than L2 holds.
TEST(KernelTimeTest, LargePrivateArraysLieInDram) {
  access::Kernel K = copyOf(8 << 20);
  access::Access &A = K.Accesses[1];
  A.Memory = access::Space::Local;
  access::Cost &C = A.PerLaunch[0];
  C.ObjectBytes = 16 << 10;
  const KernelTime Untouched = timeOf(demandsOf(K, 0), h200(), Caches::Warm);
  C.PerWarp = 4096;
  const KernelTime Large = timeOf(demandsOf(K, 0), h200(), Caches::Warm);
  EXPECT_GT(Large.Dram, Untouched.Dram) << "a word of each thread";
  C.ObjectBytes = 64;
  const KernelTime Small = timeOf(demandsOf(K, 0), h200(), Caches::Warm);
  EXPECT_GT(Large.Dram, Small.Dram);
  EXPECT_EQ(Large.L2, Small.L2);
}

/// Atomics on few words take turns; a warp's that nvcc joins are one.
TEST(KernelTimeTest, AtomicsTakeTurns) {
  access::Kernel K = copyOf(8 << 20);
  access::Access &A = K.Accesses[1];
  A.Op = Operation::Atomic;
  access::Cost &C = A.PerLaunch[0];
  C.Sectors = 1;
  C.Reach = access::Footprint{.FreshSectors = 0.125,
                              .UsedBytes = 0.125,
                              .FreshBeside = {0, 0, 0},
                              .OwnSectors = 0.125,
                              .OwnBytes = 0.125};
  const double Integers = timeOf(demandsOf(K, 0), h200(), Caches::Warm).Atomics;
  A.Of.Holds = access::Element::Kind::Float;
  const double Floats = timeOf(demandsOf(K, 0), h200(), Caches::Warm).Atomics;
  EXPECT_GT(Floats, 2 * Integers);
  A.Of.Holds = access::Element::Kind::Signed;
  A.IsJoined = true;
  EXPECT_NEAR(timeOf(demandsOf(K, 0), h200(), Caches::Warm).Atomics * 32,
              Integers, 1e-3 * Integers);
  // Six words of a sector are no faster than one, if each comes by itself.
  C.ActiveLanes = 1;
  const double OneWord = timeOf(demandsOf(K, 0), h200(), Caches::Warm).Atomics;
  C.Reach->UsedBytes = 0.75;
  EXPECT_NEAR(timeOf(demandsOf(K, 0), h200(), Caches::Warm).Atomics, OneWord,
              0.05 * OneWord);
  C.ActiveLanes = 32;
  // Lanes that come to a word take turns there, too, if each warp has words of
  // its own.
  A.IsJoined = false;
  C.Reach = access::Footprint{.UsedBytes = 0.125, .Turns = 1};
  const double Apart = timeOf(demandsOf(K, 0), h200(), Caches::Warm).Atomics;
  C.Reach->Turns = 32;
  EXPECT_GT(timeOf(demandsOf(K, 0), h200(), Caches::Warm).Atomics, 10 * Apart);
}

/// Lines side by side lie in few slices of L2: two are no faster than one, and
/// of an object no larger than a line no more than that counts.
TEST(KernelTimeTest, AtomicsOnFewLinesShareSlices) {
  access::Kernel K = copyOf(8 << 20);
  K.Accesses[1].Op = Operation::Atomic;
  K.Accesses[1].PerLaunch[0].Reach = access::Footprint{.Turns = 4};
  Demands D = demandsOf(K, 0);
  const auto timeOn = [&](double Lines) {
    SiteTraffic &T = D.Sites[1];
    T.Unique = 1;
    T.OwnSectors = Lines / T.Requests;
    return timeOf(D, h200(), Caches::Warm).Atomics;
  };
  const double One = timeOn(1);
  EXPECT_NEAR(timeOn(2), One, 0.1 * One);
  EXPECT_NEAR(timeOn(16), One / 4, 0.1 * One / 4);
  EXPECT_LT(timeOn(1024), One / 30);
  D.Sites[1].ObjectBytes = 128;
  EXPECT_NEAR(timeOn(1024), One, 1e-6 * One);
}

/// Two parts that are nearly as busy are both named.
TEST(KernelTimeTest, TwoPartsMayBound) {
  KernelTime T;
  T.Dram = 10;
  T.Latency = 7;
  EXPECT_EQ(T.bounds(), "DRAM");
  T.Latency = 9;
  EXPECT_EQ(T.bounds(), "DRAM and latency");
  EXPECT_EQ(T.boundBy(), "DRAM");
}

TEST(KernelTimeTest, OneWarpIsBoundByTheLaunch) {
  const KernelTime T = timeOf(demandsOf(copyOf(1024), 0), h200(), Caches::Warm);
  EXPECT_EQ(T.boundBy(), "the launch");
}

/// Loads that are under way together are waited for once.
TEST(KernelTimeTest, LoadsOfAGroupShareTheWait) {
  access::Kernel K = copyOf(1 << 16);
  const double One = timeOf(demandsOf(K, 0), h200(), Caches::Warm).Latency;
  K.Accesses.push_back(K.Accesses.front());
  EXPECT_EQ(timeOf(demandsOf(K, 0), h200(), Caches::Warm).Latency, One);
  K.Accesses.back().WaitGroup = 1;
  EXPECT_NEAR(timeOf(demandsOf(K, 0), h200(), Caches::Warm).Latency, 2 * One,
              1e-6 * One);
}

/// L1 merges what rounds of a loop store into the same sectors, unless each
/// waits for what it loads.
TEST(KernelTimeTest, RoundsThatWaitStoreAlone) {
  const auto storing = [](float Waits) {
    access::Kernel K = copyOf(1 << 24);
    for (access::Access &A : K.Accesses) {
      A.LoopDepth = 1;
      A.Loop = 0;
      A.Waits = Waits;
      A.PerLaunch[0].Sectors = 16;
      A.PerLaunch[0].SharedSectors = 4;
    }
    return timeOf(demandsOf(K, 0), h200(), Caches::Warm).L2;
  };
  EXPECT_GT(storing(1), 1.5 * storing(0.25f));
}

/// Each wave of blocks waits as long as the first, and for its places.
TEST(KernelTimeTest, APlaceIsEmptyBetweenTwoBlocks) {
  const auto latencyOf = [](unsigned Waves) {
    const double Filling = h200().Sms * 8 * 256 * sizeof(float);
    return timeOf(demandsOf(copyOf(Waves * Filling), 0), h200(), Caches::Warm);
  };
  const KernelTime One = latencyOf(1), Ten = latencyOf(10);
  ASSERT_EQ(One.Waves, 1);
  ASSERT_EQ(Ten.Waves, 10);
  EXPECT_NEAR(Ten.Latency - 10 * One.Latency,
              9 * h200().Refill * 1e3 / h200().ClockMhz, 1e-6);
}

/// What an SM works on takes as long as on the one with the most blocks.
TEST(KernelTimeTest, TheFullestSmIsTheLastToEnd) {
  access::Kernel K = copyOf(64 << 20);
  K.Works[0].Issued[unsigned(access::Pipe::Integer)] = 1e9;
  const auto issue = [&](double Blocks) {
    K.Works[0].Blocks = Blocks;
    return timeOf(demandsOf(K, 0), h200(), Caches::Warm).Issue;
  };
  const double Sms = h200().Sms;
  EXPECT_DOUBLE_EQ(issue(Sms), issue(2 * Sms));
  EXPECT_NEAR(issue(2 * Sms + 1), issue(2 * Sms) * 3 / 2, 0.01 * issue(Sms));
  EXPECT_NEAR(issue(100 * Sms + 1), issue(100 * Sms), 0.01 * issue(Sms));
}

/// Four loads of the bytes of a word: the last three wait for the line that the
/// first is bringing, and an SM has room for so many at a time. Those that go
/// to lines of their own that are there do not.
TEST(KernelTimeTest, LoadsOfALineThatIsUnderWayWaitForIt) {
  access::Kernel K = copyOf(64 << 20);
  K.Accesses[0].Root = 0;
  K.Accesses[0].Bytes = 1;
  access::Cost &First = K.Accesses[0].PerLaunch[0];
  First.SharedSectors = 1;
  access::Access Sibling = K.Accesses[0];
  Sibling.PerLaunch[0].Reach->FreshSectors = 0;
  Sibling.PerLaunch[0].Reach->FreshRequests = 0;
  K.Accesses.insert(K.Accesses.end(), 3, Sibling);
  const KernelTime Siblings = timeOf(demandsOf(K, 0), h200(), Caches::Warm);
  for (access::Access &A : K.Accesses)
    A.PerLaunch[0].SharedSectors = 4;
  First.SharedSectors = 4;
  const KernelTime Apart = timeOf(demandsOf(K, 0), h200(), Caches::Warm);
  EXPECT_NEAR(Siblings.UnderWay / Apart.UnderWay, 4 / 1.75, 0.2);
  EXPECT_GT(Siblings.UnderWay, Siblings.LoadStore);
  EXPECT_GT(Siblings.Total, Apart.Total);
  DeviceRates Unmeasured = h200();
  Unmeasured.LoadsUnderWay = std::numeric_limits<double>::infinity();
  EXPECT_EQ(timeOf(demandsOf(K, 0), Unmeasured, Caches::Warm).UnderWay, 0)
      << "nobody knows how many there can be";
}

/// Additions of floats to shared memory take a round for each lane that wants
/// the same, and wait for other warps that want it.
TEST(KernelTimeTest, ASwapTakesItsRounds) {
  access::Kernel K = copyOf(8 << 20);
  access::Access A = K.Accesses[0];
  A.Memory = access::Space::Shared;
  A.Op = access::Operation::Atomic;
  A.PerLaunch[0].Wavefronts = 2;
  A.PerLaunch[0].SwapRounds = 1;
  A.PerLaunch[0].Reach = access::Footprint();
  K.Accesses.push_back(A);
  const auto timeNow = [&] {
    return timeOf(demandsOf(K, 0), h200(), Caches::Warm);
  };
  const KernelTime One = timeNow();
  access::Cost &C = K.Accesses.back().PerLaunch[0];
  C.SwapRounds = 4;
  const KernelTime Four = timeNow();
  EXPECT_GT(Four.LoadStore, 2 * One.LoadStore);
  EXPECT_GT(Four.Latency, One.Latency);
  // Of 8 warps that all want one word, one lane succeeds at a time.
  C.SwapRounds = 32;
  const KernelTime OneWord = timeNow();
  C.Reach->ForeignTurns = 0.875;
  EXPECT_GT(timeNow().Latency, 4 * OneWord.Latency);
}

/// Single halves are loops, which other lanes that want the word make longer.
TEST(KernelTimeTest, HalvesTakeLongerThanWords) {
  access::Kernel K = copyOf(8 << 20);
  access::Access A = K.Accesses[1];
  A.Op = access::Operation::Atomic;
  const auto times = [&](uint64_t Words) {
    access::Cost &C = A.PerLaunch[0];
    C.State = access::Proof::DataDependent;
    C.Sectors = 32;
    C.IsIndexed = true;
    C.Reach.reset();
    const auto time = [&](unsigned Bytes) {
      A.Bytes = Bytes;
      C.ObjectBytes = Words * Bytes;
      access::Kernel With = K;
      With.Accesses.push_back(A);
      return timeOf(demandsOf(With, 0), h200(), Caches::Warm).Atomics;
    };
    return time(2) / time(4);
  };
  EXPECT_GT(times(1 << 20), 2);
  EXPECT_LT(times(1 << 20), 5);
  EXPECT_GT(times(1 << 10), 50);
}

/// Where data lead, DRAM delivers whole lines three times as fast as sectors.
TEST(KernelTimeTest, RecordsComeFasterThanSectors) {
  access::Kernel K = copyOf(512 << 20, 32, 32);
  access::Cost &C = K.Accesses[0].PerLaunch[0];
  C.State = access::Proof::DataDependent;
  C.Reach.reset();
  const double Sectors = timeOf(demandsOf(K, 0), h200(), Caches::Warm).Dram;
  C.RecordSectors = 4;
  const double Records = timeOf(demandsOf(K, 0), h200(), Caches::Warm).Dram;
  EXPECT_GT(Sectors, 2 * Records);
}

} // namespace
} // namespace warpwise::price

//===- UncoalescedAccessTest.cpp ------------------------------------------===//

#include "Literals.h"
#include "profiler/profile/Paths.h"

#include <gtest/gtest.h>

using namespace warpwise;
using namespace warpwise::test;
using access::Neighbour;
using access::Space;

namespace {

constexpr std::string_view UncoalescedAccess = "cuda-memory-uncoalesced-access";

access::Kernel globalKernel(access::Cost C) {
  return kernelWith({accessTo(Space::Global, 4, {std::move(C)})});
}

/// \p C in a group of \p Requests that together takes \p Sectors of \p Ideal.
access::Cost grouped(access::Cost C, double Sectors, double Ideal,
                     double Requests = 2) {
  C.WithSiblings = {
      .Sectors = Sectors, .IdealSectors = Ideal, .Requests = Requests};
  return C;
}

access::Cost beside(Neighbour Who, access::Cost C) {
  C.Beside = Who;
  return C;
}

TEST(UncoalescedAccess, Strided) {
  const auto Found =
      run(UncoalescedAccess,
          globalKernel(beside(Neighbour::OtherWarps, globalCost(32, 4, 4096))));
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_EQ(Found[0].Message,
            "global load is uncoalesced: 32 sectors per request (ideal 4), "
            "896 of their bytes unused by it");
  EXPECT_EQ(Found[0].ExtraCycles, 28);
  EXPECT_EQ(Found[0].ExtraBytes, 896);
  EXPECT_TRUE(hasNote(Found[0], "neighbouring lanes are 4096 bytes apart"));
  EXPECT_TRUE(hasNote(Found[0], "let threadIdx.x run along"));
}

TEST(UncoalescedAccess, AtomicsThatMayBeDense) {
  access::Cost C =
      beside(Neighbour::OtherWarps, globalCost(15, 8, /*Stride=*/16));
  C.State = access::Proof::Estimated;
  C.Low = 8;
  C.High = 20;
  access::Access A = accessTo(Space::Global, 8, {C});
  EXPECT_EQ(run(UncoalescedAccess, kernelWith({A})).size(), 1u);
  // They have no price, so that they have to be scattered for certain.
  A.Op = access::Operation::Atomic;
  EXPECT_TRUE(run(UncoalescedAccess, kernelWith({A})).empty());
  A.PerLaunch[0].Low = 14;
  EXPECT_EQ(run(UncoalescedAccess, kernelWith({A})).size(), 1u);
}

TEST(UncoalescedAccess, Records) {
  auto Record =
      accessTo(Space::Global, 4,
               {beside(Neighbour::OtherAccesses, globalCost(12, 4, 12))});
  Record.Of = {"Particle", 12, access::Element::Kind::Record};
  const auto Found = run(UncoalescedAccess, kernelWith({Record}));
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_TRUE(hasNote(Found[0], "structure of arrays"));
}

TEST(UncoalescedAccess, RowsSideBySideAreNoRecords) {
  auto C = globalCost(8, 4, 4);
  C.Worst->Stride.reset();
  for (unsigned Lane = 0; Lane != 32; ++Lane)
    C.Worst->Offsets[Lane] = Lane % 4 * 4 + Lane / 4 * 128;
  const auto Found =
      run(UncoalescedAccess, globalKernel(beside(Neighbour::SameLanes, C)));
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_FALSE(hasNote(Found[0], "as one vector"));
  EXPECT_TRUE(hasNote(Found[0], "each row of 4 lanes walks along"));
}

TEST(UncoalescedAccess, WhatOneRequestOfAFragmentLeavesTheNextOneUses) {
  const auto fragment = [](Neighbour Who) {
    auto C = beside(Who, globalCost(8, 4, 4));
    C.Worst->Stride.reset();
    for (unsigned Lane = 0; Lane != 32; ++Lane)
      C.Worst->Offsets[Lane] = Lane % 4 * 4 + Lane / 4 * 128;
    auto A = accessTo(Space::Global, 4, {C});
    A.Sort = access::Access::Kind::TensorCore;
    return kernelWith({A});
  };
  EXPECT_TRUE(run(UncoalescedAccess, fragment(Neighbour::SameLanes)).empty());
  EXPECT_TRUE(
      run(UncoalescedAccess, fragment(Neighbour::OtherAccesses)).empty());
  EXPECT_TRUE(run(UncoalescedAccess, fragment(Neighbour::Unknown)).empty());
  EXPECT_EQ(run(UncoalescedAccess, fragment(Neighbour::Nobody)).size(), 1u);
}

TEST(UncoalescedAccess, TheRecordsOfALibraryStayAsTheyAre) {
  auto A = accessTo(Space::Global, 4,
                    {beside(Neighbour::OtherAccesses, globalCost(32, 4, 48))});
  A.Of = {"Generator", 48, access::Element::Kind::Record, true};
  const auto Users = run(UncoalescedAccess, kernelWith({A}));
  ASSERT_EQ(Users.size(), 1u);
  EXPECT_FALSE(hasNote(Users[0], "structure of arrays"));
  EXPECT_TRUE(hasNote(Users[0], "through shared memory"));
  A.InLibrary = true;
  EXPECT_TRUE(run(UncoalescedAccess, kernelWith({A})).empty());
}

TEST(UncoalescedAccess, SiblingsAtOnePlaceAreSiblings) {
  auto X =
      accessTo(Space::Global, 4, {grouped(globalCost(20, 4, 20), 20, 12, 3)});
  X.Group = 0;
  const auto Found = run(UncoalescedAccess, kernelWith({X, X, X}));
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_EQ(Found[0].Message,
            "global load is uncoalesced: 20 sectors per request (ideal 4); 3 "
            "requests together take 20 (ideal 12), 256 of their bytes unused "
            "by them");
  EXPECT_EQ(Found[0].ExtraCycles, 8);
  EXPECT_EQ(Found[0].ExtraBytes, 256);
  EXPECT_TRUE(hasNote(Found[0], "3 loads at this place are counted together"));
}

// Three members of a vector that a loop goes through, as one access.
TEST(UncoalescedAccess, RoundsOfALoopAreRequestsOfTheirOwn) {
  auto C = grouped(globalCost(20, 4, 20), 20.0 / 3, 4, 3);
  C.WithSiblings->Rounds = 3;
  const auto Found = run(UncoalescedAccess, globalKernel(C));
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_NE(Found[0].Message.find("20 sectors per request (ideal 4); 3 "
                                  "requests together take 20 (ideal 12), "
                                  "256 of their bytes unused by them"),
            std::string::npos);
  EXPECT_NEAR(Found[0].ExtraCycles, 2.67, 0.01);
}

TEST(UncoalescedAccess, StoresOfAGroupHaveOneCause) {
  auto X = accessTo(Space::Global, 4, {globalCost(12, 4, 12)});
  X.Op = access::Operation::Store;
  X.Object.clear();
  X.Group = 2;
  auto Y = X;
  Y.Where.Column = 30;
  const auto Found = run(UncoalescedAccess, kernelWith({X, Y}));
  ASSERT_EQ(Found.size(), 2u);
  EXPECT_FALSE(Found[0].Cause.empty());
  EXPECT_EQ(Found[0].Cause, Found[1].Cause);
}

TEST(UncoalescedAccess, ABlockThatIsNarrowBackwardsIsNarrow) {
  auto C = beside(Neighbour::OtherBlocks, globalCost(12, 4, -4));
  C.Worst->Stride.reset();
  for (unsigned Lane = 0; Lane != 32; ++Lane)
    C.Worst->Offsets[Lane] = (7 - Lane % 8) * 4 + Lane / 8 * 256;
  const auto Found =
      run(UncoalescedAccess,
          kernelWith({accessTo(Space::Global, 4, {C})}, {launched({8, 8, 1})}));
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_TRUE(hasNote(Found[0], "make the block 32 threads wide"));
}

TEST(UncoalescedAccess, StoresThatNobodyCompletes) {
  auto Store = accessTo(Space::Global, 4,
                        {beside(Neighbour::Nobody, globalCost(32, 4, 4096))});
  Store.Op = access::Operation::Store;
  const auto Found = run(UncoalescedAccess, kernelWith({Store}));
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_TRUE(hasNote(Found[0], "keep what they write of"));
}

TEST(UncoalescedAccess, SilentWhereNothingIsKnownToHelp) {
  auto C = beside(Neighbour::OtherBlocks, globalCost(8, 2, 128));
  C.ActiveLanes = 8;
  EXPECT_TRUE(run(UncoalescedAccess, globalKernel(C)).empty());
}

TEST(UncoalescedAccess, PaddingIsNotWorthAnotherLayout) {
  EXPECT_TRUE(run(UncoalescedAccess,
                  globalKernel(beside(Neighbour::Nobody, globalCost(6, 4, 16))))
                  .empty());
  EXPECT_FALSE(
      run(UncoalescedAccess,
          globalKernel(beside(Neighbour::Nobody, globalCost(16, 4, 16))))
          .empty());
}

TEST(UncoalescedAccess, SilentOnGapsThatNobodyFills) {
  auto C = globalCost(4, 2, 8);
  C.Worst->ActiveMask = 0x55555555;
  C.Worst->Stride.reset();
  for (unsigned Lane = 0; Lane != 32; ++Lane)
    C.Worst->Offsets[Lane] = Lane * 4;
  EXPECT_TRUE(run(UncoalescedAccess, globalKernel(beside(Neighbour::Nobody, C)))
                  .empty());
  const auto Found =
      run(UncoalescedAccess, globalKernel(beside(Neighbour::OtherAccesses, C)));
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_TRUE(hasNote(Found[0], "other accesses serve the lanes between"));
}

TEST(UncoalescedAccess, Scattered) {
  auto C = globalCost(20, 4, 4);
  C.Worst->Stride.reset();
  for (unsigned Lane = 0; Lane != 32; ++Lane)
    C.Worst->Offsets[Lane] = int64_t(Lane) * Lane * 8;
  EXPECT_TRUE(run(UncoalescedAccess, globalKernel(C)).empty());
  const auto Found =
      run(UncoalescedAccess, globalKernel(beside(Neighbour::SameLanes, C)));
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_TRUE(hasNote(Found[0], "the lanes lie scattered over 7692 bytes"));
}

TEST(UncoalescedAccess, SilentWhenCoalescedOrUniform) {
  EXPECT_TRUE(
      run(UncoalescedAccess, globalKernel(globalCost(4, 4, 4))).empty());
  EXPECT_TRUE(
      run(UncoalescedAccess, globalKernel(globalCost(1, 1, 0))).empty());
}

TEST(UncoalescedAccess, SilentWhenDataDependent) {
  auto C = globalCost(32, 4, 4096);
  C.State = access::Proof::DataDependent;
  EXPECT_TRUE(run(UncoalescedAccess, globalKernel(C)).empty());
}

TEST(UncoalescedAccess, SiblingsThatUseTheRestMakeItClean) {
  const auto Half = grouped(globalCost(8, 4, 8), 8, 8); // interleaved complex
  EXPECT_TRUE(run(UncoalescedAccess, globalKernel(Half)).empty());
}

TEST(UncoalescedAccess, SilentWhenEachOfAGroupStartsOffASector) {
  auto C = grouped(globalCost(5, 4, 4), 15, 12);
  C.State = access::Proof::Estimated;
  auto First = accessTo(Space::Global, 4, {C});
  First.Group = 0;
  auto Second = First, Third = First;
  Second.Where.Column = 30;
  Third.Where.Column = 40;
  EXPECT_TRUE(
      run(UncoalescedAccess, kernelWith({First, Second, Third})).empty());
}

TEST(UncoalescedAccess, AGroupExcusesAndNeverAccuses) {
  const auto Broadcasts = grouped(globalCost(1, 1, 0), 4, 1);
  EXPECT_TRUE(run(UncoalescedAccess, globalKernel(Broadcasts)).empty());
}

TEST(UncoalescedAccess, AGroupSpeaksOnce) {
  auto First =
      accessTo(Space::Global, 4, {grouped(globalCost(32, 4, 64), 32, 8)});
  First.Group = 0;
  auto Second = First;
  Second.Where.Column = 30;
  auto Loner = accessTo(Space::Global, 4, {globalCost(32, 4, 64)});
  Loner.Where.Line = 50;
  const auto Found = run(UncoalescedAccess, kernelWith({First, Second, Loner}));
  ASSERT_EQ(Found.size(), 2u);
  EXPECT_NE(Found[0].Message.find("32 sectors per request (ideal 4); 2 "
                                  "requests together take 32 (ideal 8)"),
            std::string::npos);
  EXPECT_TRUE(hasNote(Found[0], "counted together"));
  EXPECT_EQ(Found[1].Where.Line, 50u);
}

TEST(UncoalescedAccess, BoundedOnlyWhenAlreadyWasteful) {
  const auto Sure = run(UncoalescedAccess,
                        globalKernel(bounded(globalCost(32, 4, 4096), 8, 32)));
  ASSERT_EQ(Sure.size(), 1u);
  EXPECT_NE(Sure[0].Message.find("at least 8 sectors per request"),
            std::string::npos);
  EXPECT_NE(Sure[0].Message.find("128 of their bytes unused by it"),
            std::string::npos);
  EXPECT_EQ(Sure[0].ExtraCycles, 4);
  EXPECT_TRUE(run(UncoalescedAccess,
                  globalKernel(bounded(globalCost(32, 4, 4096), 4, 32)))
                  .empty());
}

TEST(UncoalescedAccess, MisalignedByThePriceOfASectorInL1) {
  const auto Misaligned = globalKernel(globalCost(5, 4, 4));
  const auto Found = run(UncoalescedAccess, Misaligned);
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_NE(Found[0].Message.find("starts off a sector boundary"),
            std::string::npos);

  auto CheapL1 = device();
  setValue(CheapL1, paths::warp_global_cycles_per_sector_l1, 0.25);
  EXPECT_TRUE(run(UncoalescedAccess, Misaligned, CheapL1).empty());

  auto Tested = device();
  Tested.Guidelines["G_3"].Says = profile::Guideline::Verdict::Holds;
  EXPECT_TRUE(run(UncoalescedAccess, Misaligned, Tested).empty());
}

TEST(UncoalescedAccess, MisalignedOnlyWhenTheBaseIsCertain) {
  EXPECT_TRUE(
      run(UncoalescedAccess, globalKernel(bounded(globalCost(5, 4, 4), 5, 5)))
          .empty());
}

TEST(UncoalescedAccess, SilentWhereG_3DoesNotHold) {
  auto Device = device();
  refute(Device, "G_3");
  EXPECT_TRUE(
      run(UncoalescedAccess, globalKernel(globalCost(32, 4, 4096)), Device)
          .empty());
}

TEST(UncoalescedAccess, OtherSpacesAreNotItsBusiness) {
  EXPECT_TRUE(
      run(UncoalescedAccess,
          kernelWith({accessTo(Space::Generic, 4, {globalCost(32, 4, 4096)})}))
          .empty());
}

} // namespace

//===- BankConflictTest.cpp -----------------------------------------------===//

#include "Literals.h"
#include "profiler/profile/Paths.h"

#include <gtest/gtest.h>

using namespace warpwise;
using namespace warpwise::test;
using access::Space;

namespace {

constexpr std::string_view BankConflict = "cuda-memory-bank-conflict";

access::Kernel sharedKernel(std::vector<access::Cost> Costs,
                            std::vector<launch::Shape> Launches = {
                                launched({32, 8, 1})}) {
  return kernelWith({accessTo(Space::Shared, 4, std::move(Costs))},
                    std::move(Launches));
}

TEST(BankConflict, ColumnOfASquareTile) {
  const auto Found = run(BankConflict, sharedKernel({sharedCost(32)}));
  ASSERT_EQ(Found.size(), 1u);
  const auto &F = Found[0];
  EXPECT_EQ(F.Message,
            "shared load is a 32-way bank conflict: 32 wavefronts per request "
            "(ideal 1)");
  EXPECT_EQ(F.ExtraCycles, 62);
  EXPECT_EQ(F.Where, (access::Place{"k.cu", 41, 18}));
  EXPECT_EQ(F.Guidelines, std::vector<std::string>{"S_1"});
  EXPECT_EQ(F.State, access::Proof::Exact);
  EXPECT_EQ(F.ExtraCycles, 62);
  EXPECT_TRUE(hasNote(F, "neighbouring lanes are 128 bytes apart"));
  EXPECT_EQ(F.Notes[1], (advice::Note{{"host.cu", 88, 0},
                                      "block is 32x8, from this launch"}));
  EXPECT_TRUE(hasNote(F, "profile test-gpu: warp.shared.cycles_per_wavefront "
                         "is 2 clk (measured: by the test)"));
  EXPECT_TRUE(hasNote(F, "pad each row of 'tile' by one element"));
}

TEST(BankConflict, AverageOverIterationsMayBeFractional) {
  const auto Found = run(BankConflict, sharedKernel({sharedCost(2.25, 8)}));
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_EQ(Found[0].Message,
            "shared load is a bank conflict, 2.25-way on average: 2.25 "
            "wavefronts per request (ideal 1)");
  EXPECT_EQ(Found[0].ExtraCycles, 2.5);
  EXPECT_TRUE(hasNote(Found[0], "let neighbouring lanes use neighbouring"));
}

access::Cost tree(double Mean) {
  auto C = sharedCost(Mean, 512);
  C.State = access::Proof::Estimated;
  C.Least = 1;
  C.Most = 32;
  C.Worst->StepVaries = true;
  return C;
}

TEST(BankConflict, TreesOfSeveralArraysHaveOneCause) {
  auto One = accessTo(Space::Shared, 2, {tree(4)});
  auto Two = One;
  Two.Object = "other";
  Two.Where.Line = 42;
  const auto Found = run(BankConflict, kernelWith({One, Two}));
  ASSERT_EQ(Found.size(), 2u);
  EXPECT_EQ(Found[0].Cause, Found[1].Cause);
  EXPECT_TRUE(hasNote(Found[0], "leave 4 bytes free after every 128 bytes"));
  EXPECT_FALSE(hasNote(Found[0], "pad each row"));
}

/// One element more after each row of all banks leaves four groups of eight
/// lanes on each other, all but the first of which it moves by one bank.
TEST(BankConflict, GroupsOfAButterflyAreNotMovedApartByOneElement) {
  auto C = tree(2.2);
  for (unsigned Lane = 0; Lane != access::WarpLanes; ++Lane)
    C.Worst->Offsets[Lane] = 128 * (Lane / 8) + 4 * (Lane % 8);
  C.Worst->Stride = std::nullopt;
  const auto Found =
      run(BankConflict, kernelWith({accessTo(Space::Shared, 4, {C})}));
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_TRUE(
      hasNote(Found[0], "permute its elements, so that the lanes of each"));
  EXPECT_FALSE(hasNote(Found[0], "free after every"));
}

// Lanes that leave round by round make no tree of a column.
/// Four bytes would leave every double behind them misaligned.
TEST(BankConflict, ATreeOfWideElementsIsPaddedByAnElement) {
  const auto Found =
      run(BankConflict, kernelWith({accessTo(Space::Shared, 8, {tree(4)})}));
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_TRUE(
      hasNote(Found[0], "leave one element free after every 128 bytes"));
}

TEST(BankConflict, AColumnOfFewerAndFewerLanesIsNoTree) {
  auto C = tree(4);
  C.Worst->StepVaries = false;
  const auto Found = run(BankConflict, sharedKernel({C}));
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_TRUE(hasNote(Found[0], "pad each row of 'tile' by one element"));
}

TEST(BankConflict, SilentWhenDataPicksTheRoundsOfATree) {
  auto C = tree(4);
  C.DataDecides = true;
  EXPECT_TRUE(run(BankConflict, sharedKernel({C})).empty());
}

TEST(BankConflict, PaddingForNarrowElementsIsAWord) {
  auto A = accessTo(Space::Shared, 2, {sharedCost(32, 128)});
  const auto Found = run(BankConflict, kernelWith({A}));
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_TRUE(hasNote(Found[0], "pad each row of 'tile' by 4 bytes"));
}

TEST(BankConflict, WholeElementsAreSplit) {
  auto C = sharedCost(8, 32);
  C.IdealWavefronts = 4;
  auto A = accessTo(Space::Shared, 16, {C});
  A.Of = {"double4", 32, access::Element::Kind::Record};
  const auto Found = run(BankConflict, kernelWith({A}));
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_TRUE(hasNote(Found[0], "split the elements of 'tile' of 32 bytes"));
  EXPECT_FALSE(hasNote(Found[0], "neighbouring elements"));
}

// Where the array is declared with another type than it is used with.
TEST(BankConflict, TheWidestAccessesAreNotWidened) {
  auto C = sharedCost(8, 32);
  C.IdealWavefronts = 4;
  const auto Found =
      run(BankConflict, kernelWith({accessTo(Space::Shared, 16, {C})}));
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_TRUE(hasNote(Found[0], "neighbouring 16 bytes of 'tile' in each"));
  EXPECT_TRUE(hasNote(Found[0], "have to be split"));
}

TEST(BankConflict, WideAccessesHaveAWiderIdeal) {
  auto C = sharedCost(4, 16); // 16-byte lanes are served in four passes
  C.IdealWavefronts = 4;
  EXPECT_TRUE(run(BankConflict, sharedKernel({C})).empty());
}

TEST(BankConflict, RowsOfANarrowBlock) {
  auto C = sharedCost(4);
  C.Worst->Stride.reset();
  for (unsigned Lane = 0; Lane != 32; ++Lane)
    C.Worst->Offsets[Lane] = Lane % 8 * 4 + Lane / 8 * 256;
  const auto Found =
      run(BankConflict,
          sharedKernel({C}, {launched({8, 32, 1}, {"/src/host.cu", 88})}));
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_TRUE(hasNote(Found[0],
                      "rows of 8 lanes, side by side in a row, 256 bytes "
                      "from row to row"));
  EXPECT_TRUE(hasNote(Found[0], "so that the 4 rows of a warp use different "
                                "banks"));
}

TEST(BankConflict, RowsOfAWideBlockAreNotItsOwn) {
  auto C = sharedCost(4);
  C.Worst->Stride.reset();
  for (unsigned Lane = 0; Lane != 32; ++Lane)
    C.Worst->Offsets[Lane] = Lane % 8 * 4 + Lane / 8 * 256;
  const auto Found =
      run(BankConflict,
          sharedKernel({C}, {launched({256, 1, 1}, {"/src/host.cu", 88})}));
  ASSERT_EQ(Found.size(), 1u);
  // 288 bytes are 8 words more than all banks: each row begins where the one
  // before has ended.
  EXPECT_TRUE(hasNote(Found[0], "pad the rows of 'tile', to 288 bytes from one "
                                "to the next, so that the 4 rows"));
  EXPECT_FALSE(hasNote(Found[0], "make the block 32 threads wide"));
}

TEST(BankConflict, AtomicsThatDataScatterMeetInWordsToo) {
  auto C = sharedCost(2);
  C.Worst.reset();
  auto Bins = accessTo(Space::Shared, 4, {C});
  Bins.Op = access::Operation::Atomic;
  const auto Found = run(BankConflict, kernelWith({Bins}));
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_NE(Found[0].Message.find("makes lanes wait that share words or banks"),
            std::string::npos);
  EXPECT_EQ(Found[0].Message.find("bank conflict"), std::string::npos);
  EXPECT_TRUE(hasNote(Found[0], "add up in the warp what goes to one word"));
}

TEST(BankConflict, AFlagThatAllLanesSet) {
  auto Flag = accessTo(Space::Shared, 4, {sharedCost(32, 0)});
  Flag.Op = access::Operation::Atomic;
  const auto Found = run(BankConflict, kernelWith({Flag}));
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_TRUE(hasNote(Found[0], "neighbouring lanes are at one address"));
  EXPECT_TRUE(hasNote(Found[0], "let one lane of the warp write 'tile'"));
}

TEST(BankConflict, DistancesThatNobodyKnowsAreNotNamed) {
  auto C = sharedCost(32, 20480);
  C.Worst->IsMadeUp = C.Worst->IsStepMadeUp = true;
  const auto Found = run(BankConflict, sharedKernel({C}));
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_TRUE(
      hasNote(Found[0], "neighbouring lanes are an unknown distance apart"));
  EXPECT_FALSE(hasNote(Found[0], "20480"));
}

TEST(BankConflict, ALaunchWithoutAPlaceIsStillNamed) {
  launch::Shape Given = launched({32, 8, 1}, {});
  Given.Source = launch::ShapeSource::Option;
  const auto Found = run(BankConflict, sharedKernel({sharedCost(8)}, {Given}));
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_TRUE(hasNote(Found[0], "block is 32x8, from --block"));
}

TEST(BankConflict, SilentWhenClean) {
  EXPECT_TRUE(run(BankConflict, sharedKernel({sharedCost(1, 4)})).empty());
  EXPECT_TRUE(run(BankConflict, sharedKernel({sharedCost(1.2, 4)})).empty());
}

TEST(BankConflict, SilentWhenItCostsLessThanACycle) {
  auto Device = device();
  setValue(Device, paths::warp_shared_cycles_per_wavefront, 0.5);
  EXPECT_TRUE(run(BankConflict, sharedKernel({sharedCost(2)}), Device).empty());
  EXPECT_EQ(run(BankConflict, sharedKernel({sharedCost(3)}), Device).size(),
            1u);
}

TEST(BankConflict, SilentWhenItCannotBeJudged) {
  auto C = sharedCost(32);
  C.State = access::Proof::DataDependent;
  EXPECT_TRUE(run(BankConflict, sharedKernel({C})).empty());
  C.State = access::Proof::Unknown;
  EXPECT_TRUE(run(BankConflict, sharedKernel({C})).empty());
}

TEST(BankConflict, BoundedCostsAreWhatIsCertain) {
  const auto Found =
      run(BankConflict, sharedKernel({bounded(sharedCost(16), 2, 32)}));
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_EQ(Found[0].Message,
            "shared load is a bank conflict, at least 2-way: at least 2 "
            "wavefronts per request (ideal 1)");
  EXPECT_EQ(Found[0].ExtraCycles, 2);
  EXPECT_EQ(Found[0].State, access::Proof::Bounded);
  EXPECT_EQ(Found[0].ExtraCyclesLow, 2);
  EXPECT_EQ(Found[0].ExtraCyclesHigh, 62);
  EXPECT_TRUE(hasNote(Found[0], "a bound, not exact: the pitch is not known"));

  EXPECT_TRUE(run(BankConflict, sharedKernel({bounded(sharedCost(16), 1, 32)}))
                  .empty());
}

TEST(BankConflict, NamesTheCleanLaunchesToo) {
  const auto Found =
      run(BankConflict,
          sharedKernel({under(0, sharedCost(8)), under(1, sharedCost(1, 4)),
                        under(2, sharedCost(4))},
                       {launched({32, 8, 1}),
                        launched({16, 16, 1}, {"host.cu", 99}),
                        launched({256, 1, 1}, {"b.cu", 3})}));
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_NE(Found[0].Message.find("8-way"), std::string::npos);
  EXPECT_TRUE(hasNote(
      Found[0], "under block 32x8 (host.cu:88), 256 (b.cu:3); clean under "
                "16x16 (host.cu:99)"));
}

TEST(BankConflict, AssumedShapesHaveToAgree) {
  const std::vector<launch::Shape> Shapes = {assumed({32, 8, 1}),
                                             assumed({16, 16, 1})};
  EXPECT_TRUE(run(BankConflict, sharedKernel({under(0, sharedCost(8)),
                                              under(1, sharedCost(1, 4))},
                                             Shapes))
                  .empty());

  EXPECT_TRUE(run(BankConflict, sharedKernel({under(0, sharedCost(8)),
                                              under(1, sharedCost(4))},
                                             Shapes))
                  .empty());

  const auto Found = run(
      BankConflict,
      sharedKernel({under(0, sharedCost(8)), under(1, sharedCost(7))}, Shapes));
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_NE(Found[0].Message.find("at least 7-way"), std::string::npos);
  EXPECT_EQ(Found[0].ExtraCyclesHigh, 14);
  EXPECT_TRUE(hasNote(Found[0], "agree on this: 32x8, 16x16"));
}

TEST(BankConflict, SaysThatABlockWasAssumed) {
  auto Shape = assumed({256, 1, 1});
  auto Found = run(BankConflict, sharedKernel({sharedCost(8)}, {Shape}));
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_EQ(Found[0].State, access::Proof::Bounded);
  EXPECT_TRUE(hasNote(Found[0], "no launch tells the block; 256 was assumed"));

  Shape.Source = launch::ShapeSource::Bounds;
  Found = run(BankConflict, sharedKernel({sharedCost(8)}, {Shape}));
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_TRUE(hasNote(Found[0], "256 within __launch_bounds__ was assumed"));
}

TEST(BankConflict, SilentWhereS_1DoesNotHold) {
  auto Device = device();
  refute(Device, "S_1");
  EXPECT_TRUE(
      run(BankConflict, sharedKernel({sharedCost(32)}), Device).empty());
  const auto Quiet = rules::quietRules(
      Device, advice::CheckGlobs("-*," + std::string(BankConflict)));
  ASSERT_EQ(Quiet.size(), 1u);
  EXPECT_EQ(Quiet[0].second,
            "its guideline S_1 does not hold on Test GPU: ratio 1.01");
}

TEST(BankConflict, WithoutAPriceItStillCounts) {
  auto Device = device();
  Device.Quantities.erase(paths::warp_shared_cycles_per_wavefront);
  const auto Found = run(BankConflict, sharedKernel({sharedCost(2)}), Device);
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_EQ(Found[0].Message, "shared load is a 2-way bank conflict: 2 "
                              "wavefronts per request (ideal 1)");
  EXPECT_TRUE(hasNote(Found[0], "has no value for"));
}

} // namespace

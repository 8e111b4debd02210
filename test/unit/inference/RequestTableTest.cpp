//===- RequestTableTest.cpp - MSHR or PRT, and how many -------------------===//
//
// Curves of simulated SMs whose tables are known: Lashgar's two GPUs, made-up
// ones with serialisation, soft knees and noise, and one without a table.
//
//===----------------------------------------------------------------------===//

#include "profiler/inference/RequestTable.h"
#include "profiler/inference/simulate/RequestTableSimulator.h"

#include <gtest/gtest.h>

using namespace warpwise::inference;

namespace {

using Table = LoadPath::Table;
constexpr TimingNoise Noisy{2, 0.02, 800};

/// Lashgar's experiment: unique and Merger2..32, one to \p MaxLoads loads.
std::vector<ThreadLatencySeries>
allCurves(const LoadPath &Path, unsigned MaxLoads = 4, TimingNoise Noise = {},
          unsigned ThreadStep = 2, uint64_t Seed = 1) {
  RequestTableSimulator Sm(Path, Noise, Seed);
  std::vector<ThreadLatencySeries> Series;
  for (unsigned Loads = 1; Loads <= MaxLoads; ++Loads)
    for (unsigned Merge = 1; Merge <= 32; Merge *= 2)
      Series.push_back(Sm.measure(Loads, Merge, 128, ThreadStep));
  return Series;
}

const SeriesShape &shape(const RequestTable &T,
                         std::span<const ThreadLatencySeries> Series,
                         unsigned Loads, unsigned Merge) {
  for (size_t I = 0; I != Series.size(); ++I)
    if (Series[I].LoadsPerThread == Loads && Series[I].Merge == Merge)
      return T.Shapes[I];
  ADD_FAILURE() << "no such curve";
  return T.Shapes.front();
}

LoadPath m2070() {
  LoadPath P;
  P.Design = Table::Mshr;
  P.Entries = 128;
  P.Merges = 8;
  P.LoadsPerWarp = 4;
  P.Latency = 560;
  P.ReturnCycles = 1;
  return P;
}

LoadPath k20() {
  LoadPath P;
  P.Design = Table::Prt;
  P.Entries = 44;
  P.LoadsPerWarp = 3;
  // More than a thousand requests have to fit into a round trip, or the ramp
  // hides the table.
  P.Latency = 600;
  P.IssueCycles = 0.1;
  P.ReturnCycles = 0.1;
  return P;
}

TEST(ThreadLatency, CountsWhatIsInFlight) {
  ThreadLatencySeries S{3, 2, 32, {}};
  EXPECT_EQ(countInFlight(S, 64, InFlight::Sectors), 3u * 32);
  EXPECT_EQ(countInFlight(S, 64, InFlight::Lines), 3u * 8);
  EXPECT_EQ(countInFlight(S, 2, InFlight::Lines), 3u);
  EXPECT_EQ(countInFlight(S, 33, InFlight::WarpLoads), 6u);
  EXPECT_EQ(countInFlight(S, 129, InFlight::WarpLoadsPerScheduler), 6u);
}

TEST(ThreadLatency, ComputesLashgarsVariance) {
  ThreadLatencySeries S{1, 1, 128, {{2, 10}, {4, 10}, {6, 40}, {8, 40}}};
  EXPECT_EQ(varianceCurve(S), (std::vector<double>{0, 300, 300, 0}));
}

TEST(ThreadLatency, TellsARampFromATable) {
  LoadPath Path;
  Path.IssueCycles = 2;
  const auto Ramp = RequestTableSimulator(Path).measure(1, 1, 128);
  EXPECT_EQ(shapeOf(Ramp, 524).Form, Growth::Ramp);
  Path.Design = Table::Mshr;
  Path.Entries = 100;
  const auto Full = RequestTableSimulator(Path).measure(1, 1, 128);
  const auto Shape = shapeOf(Full, 524);
  EXPECT_EQ(Shape.Form, Growth::Saturates);
  EXPECT_EQ(Shape.LastFree, 100u);
  EXPECT_EQ(Shape.FirstFull, 102u);
  EXPECT_NEAR(Shape.Step, 300, 20);
}

TEST(ThreadLatency, DoesNotTakeEveryBendForATable) {
  // Twice the slope from 200 threads on: another throughput, no round trips.
  ThreadLatencySeries S{1, 1, 128, {}};
  for (unsigned T = 2; T <= 1024; T += 2)
    S.Points.push_back({T, 500 + 0.5 * T + (T > 200 ? 0.5 * (T - 200) : 0)});
  const auto Shape = shapeOf(S, 500);
  EXPECT_EQ(Shape.Form, Growth::Bends);
  EXPECT_LE(Shape.LastFree, 200u);
  EXPECT_GE(Shape.FirstFull, 200u);
}

TEST(ThreadLatency, IsNotFooledByOutliers) {
  LoadPath Path;
  Path.IssueCycles = 0.01;
  Path.ReturnCycles = 0.01;
  for (uint64_t Seed = 1; Seed <= 20; ++Seed) {
    RequestTableSimulator Sm(Path, {3, 0.02, 2000}, Seed);
    EXPECT_EQ(shapeOf(Sm.measure(1, 32, 128), 524).Form, Growth::Flat)
        << "seed " << Seed;
  }
}

TEST(RequestTable, RecoversTheTeslaM2070) {
  const auto Series = allCurves(m2070(), 6);
  const auto T = inferRequestTable(Series);
  ASSERT_EQ(T.Kind, RequestTableKind::Mshr) << T.Summary;
  EXPECT_EQ(T.Table->Axis, InFlight::Lines);
  EXPECT_EQ(T.Table->Low, 128u);
  EXPECT_EQ(T.Table->High, 128u);
  EXPECT_EQ(T.Table->MergesLow, 8u);
  EXPECT_EQ(T.Table->MergesHigh, 15u);
  EXPECT_EQ(T.LoadsPerWarp, (std::array{4u, 4u}));
  // Figures 3, 4, 5, 6 and 7.
  EXPECT_EQ(shape(T, Series, 1, 1).LastFree, 128u);
  EXPECT_EQ(shape(T, Series, 2, 1).LastFree, 64u);
  EXPECT_EQ(shape(T, Series, 1, 2).LastFree, 256u);
  EXPECT_EQ(shape(T, Series, 2, 4).LastFree, 256u);
  EXPECT_EQ(shape(T, Series, 4, 8).LastFree, 256u);
  EXPECT_EQ(shape(T, Series, 1, 1).SpikeAfter, 128u);
  // "For Merger16 and Merger32, we could not observe a significant spike."
  EXPECT_NE(shape(T, Series, 4, 16).Form, Growth::Saturates);
  EXPECT_NE(shape(T, Series, 4, 32).Form, Growth::Saturates);
}

TEST(RequestTable, RecoversTheTeslaK20) {
  const auto Series = allCurves(k20());
  const auto T = inferRequestTable(Series);
  ASSERT_EQ(T.Kind, RequestTableKind::Prt) << T.Summary;
  EXPECT_EQ(T.Table->Axis, InFlight::WarpLoads);
  EXPECT_EQ(T.Table->Low, 44u);
  EXPECT_EQ(T.Table->High, 44u);
  EXPECT_EQ(T.LoadsPerWarp, (std::array{3u, 3u}));
  // Figures 8, 9 and 10: no spike, 22 warps of two loads fit, the 15th warp of
  // three does not.
  EXPECT_NE(shape(T, Series, 1, 1).Form, Growth::Saturates);
  EXPECT_EQ(shape(T, Series, 2, 1).LastFree, 22u * 32);
  EXPECT_EQ(shape(T, Series, 3, 1).LastFree, 14u * 32);
}

/// The interval holds \p Entries and little else.
void expectEntries(const RequestTable &T, uint64_t Entries) {
  EXPECT_LE(T.Table->Low, Entries) << T.Summary;
  EXPECT_GE(T.Table->High, Entries) << T.Summary;
  EXPECT_LE(T.Table->High - T.Table->Low, 1u) << T.Summary;
}

TEST(RequestTable, RecoversThemFromNoise) {
  for (uint64_t Seed = 1; Seed <= 3; ++Seed) {
    const auto Fermi = inferRequestTable(allCurves(m2070(), 4, Noisy, 4, Seed));
    ASSERT_EQ(Fermi.Kind, RequestTableKind::Mshr) << Fermi.Summary;
    expectEntries(Fermi, 128);
    EXPECT_EQ(Fermi.Table->MergesLow, 8u) << Fermi.Summary;
    const auto Kepler = inferRequestTable(allCurves(k20(), 4, Noisy, 4, Seed));
    ASSERT_EQ(Kepler.Kind, RequestTableKind::Prt) << Kepler.Summary;
    EXPECT_EQ(Kepler.Table->Axis, InFlight::WarpLoads);
    expectEntries(Kepler, 44);
  }
}

TEST(RequestTable, NeedsOnlyWholeWarps) {
  const auto Series = allCurves(k20(), 8, Noisy, 32);
  const auto T = inferRequestTable(Series);
  ASSERT_EQ(T.Kind, RequestTableKind::Prt) << T.Summary;
  EXPECT_EQ(T.Table->Low, 44u) << T.Summary;
  EXPECT_EQ(T.Table->High, 44u) << T.Summary;
}

TEST(RequestTable, CountsSectorsWhereEntriesAreSectors) {
  LoadPath Path;
  Path.Design = Table::Mshr;
  Path.Entries = 192;
  Path.RequestBytes = 32;
  Path.Latency = 700;
  RequestTableSimulator Sm(Path, Noisy);
  std::vector<ThreadLatencySeries> Series;
  for (unsigned Loads : {1, 2, 3, 4})
    for (unsigned Step : {32, 128})
      for (unsigned Merge : {1, 2, 4})
        Series.push_back(Sm.measure(Loads, Merge, Step));
  const auto T = inferRequestTable(Series);
  ASSERT_EQ(T.Kind, RequestTableKind::Mshr) << T.Summary;
  EXPECT_EQ(T.Table->Axis, InFlight::Sectors);
  EXPECT_EQ(T.Table->Low, 192u) << T.Summary;
  EXPECT_EQ(T.Table->High, 192u) << T.Summary;
}

TEST(RequestTable, FindsMergesWhereFullEntriesTakeAnother) {
  LoadPath Path = m2070();
  Path.Entries = 96;
  Path.Merges = 6;
  Path.WaitsForFullEntry = false;
  const auto T = inferRequestTable(allCurves(Path, 4));
  ASSERT_EQ(T.Kind, RequestTableKind::Mshr) << T.Summary;
  EXPECT_EQ(T.Table->Low, 96u) << T.Summary;
  EXPECT_EQ(T.Table->High, 96u) << T.Summary;
  // Merger8 needs two entries (four to seven merges), Merger16 three (six or
  // seven), Merger32 six (six).
  EXPECT_EQ(T.Table->MergesLow, 6u) << T.Summary;
  EXPECT_EQ(T.Table->MergesHigh, 6u) << T.Summary;
}

TEST(RequestTable, TellsSchedulersTablesFromTheSms) {
  LoadPath Path = k20();
  Path.Design = Table::PrtPerScheduler;
  Path.Entries = 14;
  Path.LoadsPerWarp = 0;
  const auto T = inferRequestTable(allCurves(Path, 8, Noisy, 8));
  ASSERT_EQ(T.Kind, RequestTableKind::Prt) << T.Summary;
  EXPECT_EQ(T.Table->Axis, InFlight::WarpLoadsPerScheduler) << T.Summary;
  EXPECT_EQ(T.Table->Low, 14u) << T.Summary;
  EXPECT_EQ(T.Table->High, 14u) << T.Summary;
  EXPECT_EQ(T.LoadsPerWarp, std::nullopt);
  EXPECT_EQ(T.LoadsTried, 8u);
}

TEST(RequestTable, BoundsWhatASpreadLatencyBlurs) {
  LoadPath Path = m2070();
  Path.LoadsPerWarp = 0;
  Path.Merges = 0;
  Path.LatencySpread = 300;
  const auto T = inferRequestTable(allCurves(Path, 4, Noisy));
  ASSERT_EQ(T.Kind, RequestTableKind::Mshr) << T.Summary;
  EXPECT_NEAR(T.Table->Low, 128, 13) << T.Summary;
  EXPECT_NEAR(T.Table->High, 128, 13) << T.Summary;
}

TEST(RequestTable, SeesNoTableWhereThereIsNone) {
  LoadPath Path;
  Path.IssueCycles = 1;
  for (uint64_t Seed = 1; Seed <= 5; ++Seed) {
    const auto T = inferRequestTable(allCurves(Path, 4, Noisy, 8, Seed));
    EXPECT_EQ(T.Kind, RequestTableKind::None) << T.Summary;
    EXPECT_FALSE(T.Table);
    // 500 cycles at one request per cycle: more is never in flight, however
    // many are issued.
    EXPECT_NEAR(T.SeenUpTo[0], 500, 60) << T.Summary;
    EXPECT_EQ(T.SeenUpTo[2], 128u) << T.Summary;
  }
}

TEST(RequestTable, KnowsWhatARampHides) {
  // 240 requests at 2 cycles each take longer than the round trip: the first
  // has come back before the table could be full.
  LoadPath Path;
  Path.Design = Table::Mshr;
  Path.Entries = 240;
  Path.Latency = 300;
  Path.LatencySpread = 30;
  Path.IssueCycles = 2;
  const auto T = inferRequestTable(allCurves(Path, 4, Noisy, 4));
  EXPECT_EQ(T.Kind, RequestTableKind::None) << T.Summary;
  EXPECT_LT(T.SeenUpTo[0], 240u) << T.Summary;
}

TEST(RequestTable, DoesNotDecideOnOneCurve) {
  RequestTableSimulator Sm(m2070());
  const ThreadLatencySeries Series[] = {Sm.measure(1, 1, 128)};
  const auto T = inferRequestTable(Series);
  EXPECT_EQ(T.Kind, RequestTableKind::Undecided) << T.Summary;
  EXPECT_EQ(T.Fits[0].Low, 128u);
}

TEST(RequestTable, SurvivesEmptyInput) {
  EXPECT_EQ(inferRequestTable({}).Kind, RequestTableKind::None);
  const ThreadLatencySeries Series[] = {{1, 1, 128, {}},
                                        {2, 1, 128, {{32, 500}}}};
  EXPECT_EQ(inferRequestTable(Series).Kind, RequestTableKind::None);
}

} // namespace

//===- IdlenessTest.cpp - Whether a GPU does nothing else -----------------===//

#include "profiler/inference/Idleness.h"

#include <gtest/gtest.h>

#include <random>

using namespace warpwise::inference;

namespace {

std::vector<double> noisy(double Middle, double Spread, unsigned Count) {
  std::mt19937 Random(7);
  std::normal_distribution<double> Noise(Middle, Middle * Spread);
  std::vector<double> Samples;
  for (unsigned N = 0; N != Count; ++N)
    Samples.push_back(Noise(Random));
  return Samples;
}

/// Own launches of \p Own ms, while somebody else has every second slice.
std::vector<double> timeSliced(double Own, double Slice, unsigned Count) {
  std::vector<double> Samples;
  double Left = Slice;
  for (unsigned N = 0; N != Count; ++N) {
    double Time = Own;
    Left -= Own;
    if (Left < 0) {
      Time += Slice;
      Left += Slice;
    }
    Samples.push_back(Time);
  }
  return Samples;
}

TEST(Idleness, NothingSeenIsNothingSaid) { EXPECT_EQ(whyBusy({}), ""); }

TEST(Idleness, AnIdleGpuScattersALittle) {
  IdleEvidence Seen;
  Seen.ChaseCycles = noisy(281, 0.005, 25);
  Seen.SpinMilliseconds = noisy(0.2, 0.05, 100);
  Seen.UtilisationPercent = 1;
  EXPECT_EQ(whyBusy(Seen), "");
}

TEST(Idleness, OneHiccupIsTheDriver) {
  IdleEvidence Seen;
  Seen.SpinMilliseconds = noisy(0.2, 0.01, 100);
  Seen.SpinMilliseconds[40] = 9;
  EXPECT_EQ(whyBusy(Seen), "");
}

TEST(Idleness, WhoTakesTurnsInterruptsLaunches) {
  for (double Slice : {0.5, 1.0, 2.0, 4.0}) {
    IdleEvidence Seen;
    Seen.SpinMilliseconds = timeSliced(0.2, Slice, 100);
    const std::string Why = whyBusy(Seen);
    EXPECT_NE(Why.find("launches of 0.20 ms were interrupted"),
              std::string::npos)
        << Slice << ": " << Why;
  }
}

TEST(Idleness, WhoRunsBesideUsShowsInTheLatency) {
  IdleEvidence Seen;
  Seen.ChaseCycles = noisy(281, 0.08, 25);
  EXPECT_NE(whyBusy(Seen).find("the same chase through L2"), std::string::npos);
}

TEST(Idleness, TheDriverKnows) {
  IdleEvidence Seen;
  Seen.UtilisationPercent = 97;
  EXPECT_NE(whyBusy(Seen).find("97 %"), std::string::npos);
}

TEST(Idleness, CopiesOfOthersPassTheBusAndMemory) {
  IdleEvidence Seen;
  Seen.MemoryPercent = 1;
  Seen.BusMegabytesPerSecond = 3;
  EXPECT_EQ(whyBusy(Seen), "");
  Seen.BusMegabytesPerSecond = 25000;
  EXPECT_NE(whyBusy(Seen).find("25000 MB a second are copied"),
            std::string::npos);
  Seen.MemoryPercent = 40;
  EXPECT_NE(whyBusy(Seen).find("its memory is in use 40 %"), std::string::npos);
}

TEST(Idleness, EachCauseIsNamedOnce) {
  EXPECT_EQ(describe(std::vector<Disturbance>{}), "");
  EXPECT_EQ(describe({{"before the benchmarks", "busy"},
                      {"in clock", "slow"},
                      {"in dram-latency", "busy"}}),
            "before the benchmarks, in dram-latency: busy; in clock: slow");
}

} // namespace

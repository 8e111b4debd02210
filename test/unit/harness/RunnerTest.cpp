//===- RunnerTest.cpp - Made-up benchmarks without a GPU ------------------===//
//
// What fails stays in its benchmark, what was promised is kept, and the order
// is that of the stages.
//
//===----------------------------------------------------------------------===//

#include "kernels/harness/Runner.h"
#include "gtest/gtest.h"

#include <thread>

using namespace std::string_view_literals;

using namespace warpwise;
using namespace warpwise::harness;
using profile::Status;

namespace {

/// A GPU whose clock readings and death are given.
class FakeGpu : public Watch {
public:
  explicit FakeGpu(std::vector<double> Clocks = {1000}) : Clocks(Clocks) {}
  double clock() override {
    return Clocks[std::min(Reading++, Clocks.size() - 1)];
  }
  std::string lost() override { return DeadWhenAsked-- == 0 ? "it fell" : ""; }

  std::string busy() override {
    return BusyFrom >= 0 && Asked++ >= BusyFrom && Asked <= BusyUntil
               ? "somebody computes"
               : "";
  }
  bool mustBeIdle() override { return MustBeIdle; }

  int DeadWhenAsked = -1;
  int BusyFrom = -1, BusyUntil = 1000; ///< numbers of the questions
  bool MustBeIdle = true;

private:
  std::vector<double> Clocks;
  size_t Reading = 0;
  int Asked = 0;
};

Benchmark benchmark(std::string_view Name, void (*Run)(Session &),
                    Stage When = Stage::Geometry) {
  Benchmark B;
  B.Name = Name;
  B.When = When;
  B.Run = Run;
  return B;
}

class RunnerTest : public testing::Test {
protected:
  RunResult run(const std::vector<Benchmark> &All) {
    std::vector<const Benchmark *> Selected;
    for (const Benchmark &B : All)
      Selected.push_back(&B);
    RunEvents Tell;
    Tell.Started = [&](const Benchmark &B) { Started.emplace_back(B.Name); };
    return runAll(S, Selected, Gpu, Tell);
  }
  const profile::Quantity &at(std::string_view Path) {
    static const profile::Quantity None;
    const profile::Quantity *Q = S.results().find(Path);
    EXPECT_TRUE(Q) << Path;
    return Q ? *Q : None;
  }

  Session S{Device(), SessionOptions()};
  FakeGpu Gpu;
  std::vector<std::string> Started;
};

unsigned Calls = 0;

} // namespace

TEST_F(RunnerTest, RunsInTheOrderOfTheStages) {
  const auto Nothing = [](Session &) {};
  run({benchmark("c", Nothing, Stage::Validation),
       benchmark("b", Nothing, Stage::Latency),
       benchmark("a", Nothing, Stage::Latency),
       benchmark("d", Nothing, Stage::Device)});
  EXPECT_EQ(Started, std::vector<std::string>({"d", "a", "b", "c"}));
}

TEST_F(RunnerTest, EndsWhenOthersUseTheGpu) {
  Benchmark A = benchmark("a", [](Session &) {});
  Benchmark B = benchmark("b", [](Session &) {});
  Benchmark C = benchmark("c", [](Session &) {});
  C.Provides = {{"levels.x"sv, "B"}};
  Gpu.BusyFrom = 1;
  const RunResult Run = run({A, B, C});
  EXPECT_EQ(Run.Busy, "in b: somebody computes");
  EXPECT_EQ(Run.Lost, "");
  ASSERT_EQ(Run.Outcomes.size(), 2u);
  EXPECT_EQ(Run.Outcomes[0].Disturbed, "");
  EXPECT_EQ(at("levels.x").State, Status::NotMeasurable);
  EXPECT_EQ(at("levels.x").Method, "in b: somebody computes");
}

TEST_F(RunnerTest, ForcedRunsNoteWhatWasDisturbed) {
  Gpu.MustBeIdle = false;
  Gpu.BusyFrom = 1;
  const auto Nothing = [](Session &) {};
  const RunResult Run = run({benchmark("a", Nothing), benchmark("b", Nothing)});
  EXPECT_EQ(Run.Busy, "");
  ASSERT_EQ(Run.Outcomes.size(), 2u);
  EXPECT_EQ(Run.Outcomes[1].Disturbed, "somebody computes");
}

TEST_F(RunnerTest, AMomentOfOtherWorkIsOneMoreTry) {
  Gpu.BusyFrom = 0;
  Gpu.BusyUntil = 1;
  Calls = 0;
  const RunResult Run = run({benchmark("a", [](Session &) { ++Calls; })});
  EXPECT_EQ(Calls, 2u);
  EXPECT_EQ(Run.Busy, "");
  EXPECT_EQ(Run.Outcomes[0].Disturbed, "");
}

TEST_F(RunnerTest, AFailureDoesNotReachTheNext) {
  Benchmark A = benchmark("a", [](Session &S) {
    S.exact("levels.x"sv, "B", 1, "counted");
    throw Skip("this GPU has none");
  });
  A.Provides = {{"levels.x"sv, "B"}, {"levels.y"sv, "clk"}};
  Benchmark B = benchmark(
      "b", [](Session &S) { S.exact("levels.z"sv, "B", 2, "counted"); });
  const RunResult Run = run({A, B});
  EXPECT_EQ(Run.Lost, "");
  ASSERT_EQ(Run.Outcomes.size(), 2u);
  EXPECT_EQ(Run.Outcomes[0].Failure, "this GPU has none");
  EXPECT_EQ(Run.Outcomes[1].Failure, "");
  EXPECT_EQ(at("levels.x").State, Status::Measured);
  EXPECT_EQ(at("levels.y").State, Status::NotMeasurable);
  EXPECT_EQ(at("levels.y").Method, "this GPU has none");
  EXPECT_EQ(at("levels.y").Unit, "clk");
  EXPECT_EQ(at("levels.z").Value, 2);
}

TEST_F(RunnerTest, EveryKindOfExceptionIsAReason) {
  Benchmark A = benchmark("a", [](Session &) { throw 7; });
  A.Provides = {{"levels.x"sv, "B"}};
  Benchmark B = benchmark("b", [](Session &) { throw Skip(""); });
  B.Provides = {{"levels.y"sv, "B"}};
  run({A, B});
  EXPECT_FALSE(at("levels.x").Method.empty());
  EXPECT_FALSE(at("levels.y").Method.empty());
}

TEST_F(RunnerTest, APromiseThatWasForgottenIsNamed) {
  Benchmark A = benchmark("forgetful", [](Session &) {});
  A.Provides = {{"levels.x"sv, "B"}};
  run({A});
  EXPECT_EQ(at("levels.x").State, Status::NotMeasurable);
  EXPECT_EQ(at("levels.x").Method, "forgetful found no value");
}

TEST_F(RunnerTest, ALostGpuEndsTheRunAndNamesTheRest) {
  Benchmark A = benchmark(
      "a", [](Session &S) { S.exact("levels.x"sv, "B", 1, "counted"); });
  Benchmark B = benchmark("b", [](Session &) { throw CudaFailure("illegal"); });
  B.Provides = {{"levels.y"sv, "B"}};
  Benchmark C = benchmark("c", [](Session &) { FAIL(); });
  C.Provides = {{"levels.z"sv, "B"}};
  Gpu.DeadWhenAsked = 1;
  const RunResult Run = run({A, B, C});
  EXPECT_EQ(Run.Lost, "the GPU was lost in b: it fell");
  EXPECT_EQ(Run.Outcomes.size(), 2u);
  EXPECT_EQ(at("levels.x").Value, 1);
  EXPECT_EQ(at("levels.y").Method, "illegal");
  EXPECT_EQ(at("levels.z").Method, Run.Lost);
}

TEST_F(RunnerTest, TheTimeOfEachIsRecorded) {
  run({benchmark("slow", [](Session &) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  })});
  EXPECT_EQ(at("run.seconds.slow").Unit, "s");
  EXPECT_GE(at("run.seconds.slow").Value, 0.02);
}

TEST_F(RunnerTest, AMovedClockMeansOneMoreTry) {
  Calls = 0;
  Gpu = FakeGpu({1000, 1500, 1500});
  const RunResult Run = run({benchmark("a", [](Session &S) {
    ++Calls;
    S.exact("levels.x"sv, "B", S.Mhz, "the clock");
  })});
  EXPECT_EQ(Calls, 2u);
  EXPECT_EQ(at("levels.x").Value, 1500);
  EXPECT_EQ(Run.Outcomes[0].MhzAfter, 0);
}

TEST_F(RunnerTest, AClockThatKeepsMovingIsReported) {
  Calls = 0;
  Gpu = FakeGpu({1000, 1500, 1800});
  const RunResult Run = run({benchmark("a", [](Session &) { ++Calls; })});
  EXPECT_EQ(Calls, 2u);
  EXPECT_EQ(Run.Outcomes[0].MhzBefore, 1500);
  EXPECT_EQ(Run.Outcomes[0].MhzAfter, 1800);
}

TEST_F(RunnerTest, AClockThatMovesLittleDoesNot) {
  Calls = 0;
  Gpu = FakeGpu({1000, 1009});
  run({benchmark("a", [](Session &) { ++Calls; })});
  EXPECT_EQ(Calls, 1u);
}

TEST_F(RunnerTest, WhatNeedsNoGpuRunsBeside) {
  Benchmark Compiler = benchmark("compiler", [](Session &S) {
    EXPECT_EQ(S.Current, "compiler");
    S.Progress("anything");
    S.exact("local_arrays.x"sv, "1", 11, "compiled");
    S.curve("local_arrays.y"sv, "x", "y", {{0, 1}}, "compiled");
    throw Skip("and then it failed");
  });
  Compiler.NeedsGpu = false;
  Compiler.Provides = {{"local_arrays.x"sv, "1"}, {"local_arrays.z"sv, "1"}};
  Benchmark OnGpu = benchmark("gpu", [](Session &S) {
    EXPECT_EQ(S.Current, "gpu");
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    EXPECT_FALSE(S.value("local_arrays.x"sv));
    S.exact("levels.x"sv, "B", 1, "counted");
  });
  const RunResult Run = run({Compiler, OnGpu});
  EXPECT_EQ(Run.Outcomes.size(), 2u);
  EXPECT_EQ(at("local_arrays.x").Value, 11);
  EXPECT_FALSE(at("local_arrays.x").Mhz);
  EXPECT_EQ(at("local_arrays.z").Method, "and then it failed");
  EXPECT_EQ(at("levels.x").Mhz, 1000);
  EXPECT_EQ(S.results().Curves.count("local_arrays.y"), 1u);
  EXPECT_TRUE(S.value("run.seconds.compiler"sv));
}

TEST_F(RunnerTest, ALostGpuDoesNotStopTheCompiler) {
  Benchmark Compiler = benchmark(
      "compiler", [](Session &S) { S.exact("local_arrays.x"sv, "1", 3, "x"); });
  Compiler.NeedsGpu = false;
  Gpu.DeadWhenAsked = 0;
  run({Compiler, benchmark("gpu", [](Session &) {})});
  EXPECT_EQ(at("local_arrays.x").Value, 3);
}

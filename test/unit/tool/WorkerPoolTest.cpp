//===- WorkerPoolTest.cpp -------------------------------------------------===//
//
// Crashes, hangs and large results of forked work.
//
//===----------------------------------------------------------------------===//

#include "analyzer/tool/WorkerPool.h"

#include "gtest/gtest.h"

#include <csignal>
#include <cstdio>
#include <ctime>
#include <unistd.h>

using namespace warpwise::tool;
using namespace std::chrono_literals;
using Kind = Outcome::Kind;

static std::vector<Outcome> run(const std::vector<Work> &Tasks,
                                const PoolOptions &Options) {
  return runTasks(Tasks, Options, [](size_t) {});
}

TEST(WorkerPool, ResultsComeInTheOrderOfTheTasks) {
  std::vector<Work> Tasks;
  for (int I = 0; I < 8; ++I)
    Tasks.push_back([I] {
      ::usleep((8 - I) * 5000);
      return std::to_string(I);
    });
  std::vector<size_t> Ended;
  std::vector<Outcome> Outcomes =
      runTasks(Tasks, {.Jobs = 8}, [&](size_t I) { Ended.push_back(I); });
  ASSERT_EQ(Outcomes.size(), 8u);
  EXPECT_EQ(Ended.size(), 8u);
  for (int I = 0; I < 8; ++I) {
    EXPECT_EQ(Outcomes[I].How, Kind::Finished);
    EXPECT_EQ(Outcomes[I].Output, std::to_string(I));
  }
}

TEST(WorkerPool, NoMoreThanTheJobsRunAtATime) {
  auto Start = std::chrono::steady_clock::now();
  std::vector<Work> Tasks(4, [] {
    ::usleep(50000);
    return std::string();
  });
  run(Tasks, {.Jobs = 2});
  EXPECT_GE(std::chrono::steady_clock::now() - Start, 100ms);
}

TEST(WorkerPool, ACrashCostsOnlyItsOwnResult) {
  std::vector<Outcome> Outcomes =
      run({
              [] { return std::string("before"); },
              []() -> std::string {
                std::fputs("first\nstack of trouble\n", stderr);
                std::signal(SIGSEGV, SIG_DFL);
                std::raise(SIGSEGV);
                return "";
              },
              [] { return std::string("after"); },
          },
          {.Jobs = 2});
  EXPECT_EQ(Outcomes[0].Output, "before");
  EXPECT_EQ(Outcomes[2].Output, "after");
  EXPECT_EQ(Outcomes[1].How, Kind::Crashed);
  EXPECT_EQ(Outcomes[1].Signal, SIGSEGV);
  EXPECT_EQ(describeFailure("a.cu", Outcomes[1], {}),
            "a.cu: the analysis crashed (signal 11): stack of trouble");
}

TEST(WorkerPool, AnEarlyExitIsNotAResult) {
  std::vector<Outcome> Outcomes =
      run({[]() -> std::string { ::_exit(3); }}, {});
  EXPECT_EQ(Outcomes[0].How, Kind::Crashed);
  EXPECT_EQ(describeFailure("a.cu", Outcomes[0], {}),
            "a.cu: the analysis crashed");
}

/// Takes as much CPU time as it gets.
[[noreturn]] static void spin() {
  for (volatile unsigned N = 0;; N = N + 1)
    continue;
}

TEST(WorkerPool, WhatTakesTooLongIsStopped) {
  PoolOptions Options{.Jobs = 2, .TimeLimit = 1000ms};
  std::vector<Outcome> Outcomes = run(
      {[]() -> std::string { spin(); }, [] { return std::string("quick"); }},
      Options);
  EXPECT_EQ(Outcomes[0].How, Kind::TimedOut);
  EXPECT_EQ(Outcomes[1].Output, "quick");
  EXPECT_EQ(describeFailure("a.cu", Outcomes[0], Options),
            "a.cu: the analysis took more than 1 s of CPU time, which is the "
            "limit (--time-limit)");
}

TEST(WorkerPool, WhatNeedsTooMuchMemoryIsStopped) {
  constexpr uint64_t Limit = 256 << 20;
  const auto Grow = []() -> std::string {
    std::vector<std::vector<char>> All;
    for (;;)
      All.emplace_back(1 << 20, char(1));
  };
  // By the kernel or, where much is mapped, by the parent.
  for (bool MapsMuch : {false, true}) {
    PoolOptions Options{.MemoryLimit = Limit, .MapsMuch = MapsMuch};
    std::vector<Outcome> Outcomes =
        run({Grow, [] { return std::string("small"); }}, Options);
    EXPECT_EQ(Outcomes[0].How, Kind::OutOfMemory);
    EXPECT_EQ(Outcomes[1].Output, "small");
    EXPECT_EQ(describeFailure("a.cu", Outcomes[0], Options),
              "a.cu: the analysis needs more memory than 256 MiB, which is the "
              "limit (--memory-limit)");
  }
}

TEST(WorkerPool, ATaskHasNoFilesButItsOwn) {
  std::vector<Outcome> Outcomes =
      run({[] {
            std::puts("not for the user");
            std::fflush(stdout);
            std::FILE *File = std::fopen("/tmp/warpwise-worker-pool-test", "w");
            return std::string(File ? "opened" : "refused");
          }},
          {});
  EXPECT_EQ(Outcomes[0].Output, "refused");
}

TEST(WorkerPool, ATaskMayRunAPoolOfItsOwn) {
  std::vector<Outcome> Outcomes =
      run({[] {
            const auto Process = [] { return std::to_string(::getpid()); };
            std::vector<Outcome> Inner = run({Process, Process}, {.Jobs = 2});
            return Inner[0].How == Kind::Finished &&
                           Inner[1].How == Kind::Finished &&
                           Inner[0].Output != Inner[1].Output
                       ? std::string("both")
                       : std::string("not both");
          }},
          {.Level = warpwise::confinement::Level::WithChildren});
  EXPECT_EQ(Outcomes[0].Output, "both");
}

TEST(WorkerPool, AHangIsStopped) {
  PoolOptions Options{.Jobs = 2, .TimeLimit = 300ms, .Patience = 1s};
  auto Start = std::chrono::steady_clock::now();
  std::vector<Outcome> Outcomes = run({
                                          []() -> std::string {
                                            while (true)
                                              ::pause();
                                          },
                                          [] { return std::string("quick"); },
                                      },
                                      Options);
  EXPECT_LT(std::chrono::steady_clock::now() - Start, 30s);
  EXPECT_EQ(Outcomes[0].How, Kind::Stuck);
  EXPECT_EQ(Outcomes[1].Output, "quick");
  EXPECT_EQ(describeFailure("a.cu", Outcomes[0], Options),
            "a.cu: the analysis did not end within 4 s, though it took less "
            "CPU time than it may (--time-limit)");
}

TEST(WorkerPool, ResultsLargerThanAPipeArrive) {
  std::vector<Outcome> Outcomes =
      run({[] { return std::string(5 << 20, 'x'); }}, {});
  EXPECT_EQ(Outcomes[0].Output, std::string(5 << 20, 'x'));
}

TEST(WorkerPool, NothingToDoIsDone) { EXPECT_TRUE(run({}, {}).empty()); }

TEST(WorkerPool, AProcessIsKeptUntilItCrashesOrLeaves) {
  const auto Process = [] { return std::to_string(::getpid()); };
  std::vector<Outcome> Outcomes =
      run({
              Process,
              [&] {
                std::fputs("not the last word\n", stderr);
                return Process();
              },
              []() -> std::string { ::_exit(3); },
              Process,
              [&] {
                leaveProcessAfterTask();
                return Process();
              },
              Process,
          },
          {.KeepProcesses = true});
  EXPECT_EQ(Outcomes[0].Output, Outcomes[1].Output);
  EXPECT_EQ(Outcomes[2].How, Kind::Crashed);
  EXPECT_EQ(Outcomes[2].LastWords, "");
  EXPECT_NE(Outcomes[3].Output, Outcomes[1].Output);
  EXPECT_EQ(Outcomes[3].Output, Outcomes[4].Output);
  EXPECT_NE(Outcomes[5].Output, Outcomes[4].Output);
  EXPECT_EQ(Outcomes[5].How, Kind::Finished);
}

TEST(WorkerPool, KeptProcessesHaveTheTimeLimitForEachTask) {
  const auto Short = [] {
    const std::clock_t End = std::clock() + CLOCKS_PER_SEC / 4;
    while (std::clock() < End)
      continue;
    return std::string("done");
  };
  std::vector<Outcome> Outcomes =
      run({Short, Short, []() -> std::string { spin(); }, Short},
          {.TimeLimit = 450ms, .KeepProcesses = true});
  EXPECT_EQ(Outcomes[1].Output, "done");
  EXPECT_EQ(Outcomes[2].How, Kind::TimedOut);
  EXPECT_EQ(Outcomes[3].Output, "done");
}

TEST(WorkerPool, ATaskDoesNotFallWithWhatAnotherOneDamaged) {
  static bool Damaged = false;
  std::vector<Outcome> Outcomes = run({
                                          [] {
                                            Damaged = true;
                                            return std::string("done");
                                          },
                                          [] {
                                            if (Damaged)
                                              ::_exit(3);
                                            return std::string("done, too");
                                          },
                                      },
                                      {.KeepProcesses = true});
  EXPECT_EQ(Outcomes[0].Output, "done");
  EXPECT_EQ(Outcomes[1].How, Kind::Finished);
  EXPECT_EQ(Outcomes[1].Output, "done, too");
}

TEST(WorkerPool, AProcessThatGrewIsNotKept) {
  constexpr size_t Much = 32 << 20;
  const auto Process = [] { return std::to_string(::getpid()); };
  std::vector<Outcome> Outcomes = run(
      {
          Process,
          [&] {
            // Volatile, so that it is not left out.
            std::vector<char> Memory(Much);
            for (size_t I = 0; I < Much; I += 4096)
              static_cast<volatile char &>(Memory[I]) = 1;
            return Process();
          },
          Process,
      },
      {.KeepProcesses = true, .MostGrowth = Much / 2});
  EXPECT_EQ(Outcomes[0].Output, Outcomes[1].Output);
  EXPECT_NE(Outcomes[1].Output, Outcomes[2].Output);
}

TEST(WorkerPool, AProcessThatWillNotEndIsEnded) {
  // Nobody waits for one that has said what it has to, or cannot say it.
  const auto Start = std::chrono::steady_clock::now();
  std::vector<Outcome> Outcomes = run({[]() -> std::string {
                                        for (int File = 3; File < 64; ++File)
                                          ::close(File);
                                        while (true)
                                          ::pause();
                                      }},
                                      {.TimeLimit = 30s});
  EXPECT_EQ(Outcomes[0].How, Kind::Crashed);
  EXPECT_LT(std::chrono::steady_clock::now() - Start, 20s);
}

/// Ctrl-C, and what timeout(1) and schedulers of jobs send.
class WorkerPoolStopped : public testing::TestWithParam<int> {};

TEST_P(WorkerPoolStopped, KeepsWhatIsDone) {
  // In a process of its own, whose flag stays up.
  static int Signal;
  Signal = GetParam();
  EXPECT_EXIT(
      {
        stopOnInterrupt();
        std::signal(SIGALRM, [](int) { std::raise(Signal); });
        ::alarm(1);
        const std::vector<Outcome> Outcomes =
            run({
                    [] { return std::string("done"); },
                    []() -> std::string {
                      ::sleep(60);
                      return "late";
                    },
                    [] { return std::string("never begun"); },
                },
                {.Jobs = 1});
        const bool Kept = Outcomes[0].How == Kind::Finished &&
                          Outcomes[0].Output == "done" &&
                          Outcomes[1].How == Kind::Interrupted &&
                          Outcomes[2].How == Kind::Interrupted;
        ::_exit(Kept && wasInterrupted() ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

INSTANTIATE_TEST_SUITE_P(Signals, WorkerPoolStopped,
                         testing::Values(SIGINT, SIGTERM));

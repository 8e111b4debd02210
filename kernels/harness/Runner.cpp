//===- Runner.cpp - Runs microbenchmarks one after the other --------------===//

#include "kernels/harness/Runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <thread>
#include <tuple>

namespace warpwise::harness {
namespace {

/// A clock that moves by more in one benchmark makes its cycles doubtful.
constexpr double ClockTolerance = 0.01;

/// Runs \p Action. Returns why it ended early, or an empty string.
template <typename Callable> std::string failureOf(Callable Action) {
  try {
    Action();
    return "";
  } catch (const std::exception &E) {
    // The profile wants a reason, even from an exception without one.
    return *E.what() ? E.what() : "it failed without saying why";
  } catch (...) {
    return "it failed with an unknown exception";
  }
}

/// Wall time since the object was made.
class StopWatch {
public:
  double seconds() const {
    return std::chrono::duration<double>(Clock::now() - Start).count();
  }

private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point Start = Clock::now();
};

void keepPromises(Session &S, const Benchmark &B, const std::string &Why) {
  for (const auto &[Path, Unit] : B.Provides)
    if (!S.results().find(Path))
      S.notMeasurable(Path, std::string(Unit), Why);
}

/// Records what is said about a benchmark that has ended.
void conclude(Session &S, const Outcome &O) {
  keepPromises(S, *O.What,
               O.Failure.empty()
                   ? fmt::format("{} found no value{}", O.What->Name,
                                 S.quick() ? " in a quick run" : "")
                   : O.Failure);
  S.exact(fmt::format("run.seconds.{}", O.What->Name), "s", O.Seconds,
          "wall time of the benchmark");
}

class Runner {
public:
  Runner(Session &S, Watch &Gpu, const RunEvents &Tell)
      : S(S), Gpu(Gpu), Tell(Tell) {}

  /// Runs \p B on the GPU; false when that was the last thing it did.
  bool runOnGpu(const Benchmark &B) {
    start(B);
    const StopWatch Time;
    Outcome O;
    O.What = &B;
    // A moved clock may be that of a GPU that just woke up, and others may have
    // had but a moment's work: one more try.
    for (unsigned Try = 0; Try != 2; ++Try) {
      O.Failure = failureOf([&] {
        if (S.Mhz <= 0)
          S.Mhz = Gpu.clock();
        B.Run(S);
      });
      Result.Lost = Gpu.lost();
      if (!Result.Lost.empty())
        break;
      const bool Moved = clockMoved(O);
      O.Disturbed.clear();
      failureOf([&] { O.Disturbed = Gpu.busy(); });
      if (!Moved && O.Disturbed.empty())
        break;
    }
    O.Seconds = Time.seconds();
    end(O);
    if (!Result.Lost.empty())
      Result.Lost =
          fmt::format("the GPU was lost in {}: {}", B.Name, Result.Lost);
    else if (!O.Disturbed.empty() && Gpu.mustBeIdle())
      Result.Busy = fmt::format("in {}: {}", B.Name, O.Disturbed);
    return Result.Lost.empty() && Result.Busy.empty();
  }

  void start(const Benchmark &B) {
    S.Current = B.Name;
    if (Tell.Started)
      Tell.Started(B);
  }

  void end(const Outcome &O) {
    conclude(S, O);
    Result.Outcomes.push_back(O);
    if (Tell.Ended)
      Tell.Ended(O);
  }

  RunResult Result;

private:
  /// Reads the clock for what runs next.
  bool clockMoved(Outcome &O) {
    const double Before = S.Mhz;
    if (!failureOf([&] { S.Mhz = Gpu.clock(); }).empty())
      return false;
    const bool Moved =
        Before > 0 && std::abs(S.Mhz - Before) > ClockTolerance * Before;
    O.MhzBefore = Moved ? Before : 0;
    O.MhzAfter = Moved ? S.Mhz : 0;
    return Moved;
  }

  Session &S;
  Watch &Gpu;
  const RunEvents &Tell;
};

/// Runs the benchmarks that need no GPU, with a recording of their own.
class Beside {
public:
  Beside(const Session &S, std::vector<const Benchmark *> Selected)
      : Own(S), Selected(std::move(Selected)) {
    Own.results() = {};
    Own.Mhz = 0;
    // The progress line is the other thread's.
    Own.Progress = [](std::string_view) {};
    Thread = std::thread([this] { run(); });
  }
  ~Beside() {
    if (Thread.joinable())
      Thread.join();
  }

  /// Waits, and hands over what was recorded.
  void finish(Session &S, Runner &Main) {
    Thread.join();
    for (auto &[Path, Q] : Own.results().Quantities)
      S.results().Quantities[Path] = std::move(Q);
    for (auto &[Path, C] : Own.results().Curves)
      S.results().Curves[Path] = std::move(C);
    for (const Outcome &O : Outcomes)
      Main.end(O);
  }

  bool any() const { return !Selected.empty(); }
  const Benchmark &first() const { return *Selected.front(); }

private:
  void run() {
    for (const Benchmark *B : Selected) {
      const StopWatch Time;
      Own.Current = B->Name;
      Outcome O;
      O.What = B;
      O.Failure = failureOf([&] { B->Run(Own); });
      O.Seconds = Time.seconds();
      Outcomes.push_back(std::move(O));
    }
  }

  Session Own;
  std::vector<const Benchmark *> Selected;
  std::vector<Outcome> Outcomes;
  std::thread Thread;
};

} // namespace

RunResult runAll(Session &S, std::span<const Benchmark *const> Selected,
                 Watch &Gpu, const RunEvents &Tell) {
  std::vector<const Benchmark *> OnGpu(Selected.begin(), Selected.end());
  const auto Order = [](const Benchmark *B) {
    return std::tuple(!B->NeedsGpu, B->When, B->Name);
  };
  std::sort(OnGpu.begin(), OnGpu.end(),
            [&](const Benchmark *A, const Benchmark *B) {
              return Order(A) < Order(B);
            });
  const auto NoGpu =
      std::find_if(OnGpu.begin(), OnGpu.end(),
                   [](const Benchmark *B) { return !B->NeedsGpu; });
  Beside Others(S, {NoGpu, OnGpu.end()});
  OnGpu.erase(NoGpu, OnGpu.end());

  Runner Main(S, Gpu, Tell);
  for (const Benchmark *B : OnGpu)
    if (!Main.runOnGpu(*B))
      break;
  for (const Benchmark *B : OnGpu)
    keepPromises(
        S, *B, Main.Result.Lost.empty() ? Main.Result.Busy : Main.Result.Lost);

  if (Others.any())
    Main.start(Others.first());
  Others.finish(S, Main);
  return std::move(Main.Result);
}

} // namespace warpwise::harness

//===- Atomics.cu - Atomics in shared and global memory -------------------===//
//
// Latency of a dependent chain and throughput of the whole GPU, when the lanes
// hit one word, the words of one line, or words far apart.
//
//===----------------------------------------------------------------------===//

#include "kernels/atomics/Operations.cuh"
#include "kernels/harness/Benchmark.h"
#include "kernels/harness/Cuda.h"
#include "kernels/harness/Queued.h"
#include "profiler/profile/Paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <deque>
#include <optional>

namespace warpwise::harness {
namespace {

using ChaseKernel = void (*)(Pattern, unsigned, uint32_t, uint32_t *,
                             uint32_t *);
using HammerKernel = void (*)(Pattern, unsigned, uint32_t, uint32_t *,
                              uint64_t *, uint32_t *);

/// What differs between the two memories.
struct Target {
  Space In;
  std::string Path; ///< "warp.atomics.shared"
  ChaseKernel Add, Swap;
  HammerKernel Adds, AddsNoReturn, Swaps;
};

template <Space In> Target target(const std::string &Path) {
  return {In,
          Path,
          chase<In, Operation::Add, Scope::Gpu>,
          chase<In, Operation::Swap, Scope::Gpu>,
          hammer<In, Operation::Add>,
          hammer<In, Operation::AddNoReturn>,
          hammer<In, Operation::Swap>};
}

struct NamedPattern {
  const char *Name;
  const char *Meaning;
  Pattern Of;
};

class Atomics {
public:
  explicit Atomics(Session &S)
      : S(S), D(S.device()),
        Words(std::bit_floor(std::max<uint64_t>(D.L2Bytes / 4, 1 << 20)) / 4),
        Cycles(D.SmCount), Out(2) {
    Words.zero();
  }

  void latencies(const Target &T);
  void throughputs(const Target &T);
  void byDegree(const Target &T);
  void scopes();

private:
  std::vector<NamedPattern> patterns(Space In) const {
    const Pattern Spread =
        In == Space::Shared
            ? Pattern{.LanePitch = 33, .WarpPitch = 1}
            : Pattern{.LanePitch = 32,
                      .WarpPitch = 1024,
                      .Mask = static_cast<unsigned>(Words.size()) - 1};
    return {{"same_address", "all lanes hit one word", {.Degree = 32}},
            {"same_line", "lanes hit the words of one 128-byte line", {}},
            {"spread",
             In == Space::Shared ? "every lane has its own word and bank"
                                 : "every lane has its own 128-byte line",
             Spread}};
  }
  inference::Estimate latency(ChaseKernel Kernel, const Pattern &P);
  /// Cycles of the slowest SM.
  double run(HammerKernel Kernel, const Pattern &P, unsigned Rounds,
             uint32_t Value, bool InShared);
  /// Rounds that keep the GPU busy for a while.
  unsigned enoughRounds(HammerKernel Kernel, const Pattern &P, uint32_t Value,
                        bool InShared);
  inference::Estimate throughput(HammerKernel Kernel, const Pattern &P,
                                 uint32_t Value, bool InShared,
                                 unsigned Rounds);
  void recordThroughput(const std::string &Path, HammerKernel Kernel,
                        const Pattern &P, uint32_t Value, bool InShared,
                        const std::string &Method);

  Session &S;
  const Device &D;
  Buffer<uint32_t> Words;
  Buffer<uint64_t> Cycles;
  Buffer<uint32_t> Out;
};

inference::Estimate Atomics::latency(ChaseKernel Kernel, const Pattern &P) {
  constexpr unsigned Steps = 512;
  return inference::untilStable(
      [&] {
        Out.zero();
        Kernel<<<1, 32>>>(P, Steps, 0, Words.get(), Out.get());
        finish();
        const std::vector<uint32_t> Found = Out.download();
        if (Found[1] != 0)
          throw CudaFailure("a chain of atomics did not return what it should");
        return double(Found[0]) / Steps;
      },
      {.Least = 5, .Most = 15});
}

double Atomics::run(HammerKernel Kernel, const Pattern &P, unsigned Rounds,
                    uint32_t Value, bool InShared) {
  if (!InShared)
    Words.zero();
  Out.zero();
  Kernel<<<D.SmCount, Threads>>>(P, Rounds, Value, Words.get(), Cycles.get(),
                                 Out.get());
  if (!InShared)
    sumWords<<<D.SmCount, 256>>>(
        Words.get(), static_cast<unsigned>(Words.size()), Out.get());
  finish();
  const uint32_t Expected = Value * Rounds * PerRound * Threads * D.SmCount;
  if (Out.download()[0] != Expected)
    throw CudaFailure("atomics did not add up to what they should");
  const std::vector<uint64_t> Took = Cycles.download();
  return double(*std::max_element(Took.begin(), Took.end()));
}

unsigned Atomics::enoughRounds(HammerKernel Kernel, const Pattern &P,
                               uint32_t Value, bool InShared) {
  constexpr double EnoughCycles = 200'000;
  unsigned Rounds = 1;
  while (Rounds < 1u << 16 &&
         run(Kernel, P, Rounds, Value, InShared) < EnoughCycles)
    Rounds *= 4;
  return Rounds;
}

inference::Estimate Atomics::throughput(HammerKernel Kernel, const Pattern &P,
                                        uint32_t Value, bool InShared,
                                        unsigned Rounds) {
  const double Operations = double(Rounds) * PerRound * Threads;
  return inference::untilStable(
      [&] { return Operations / run(Kernel, P, Rounds, Value, InShared); },
      {.Least = 5, .Most = 20, .Relative = 0.01});
}

void Atomics::latencies(const Target &T) {
  for (const NamedPattern &Each : patterns(T.In)) {
    const std::string Path = fmt::format("{}.{}.", T.Path, Each.Name);
    S.measured(Path + "latency", "clk", latency(T.Add, Each.Of),
               fmt::format("chain of atomicAdd of one warp, each returns the "
                           "address of the next, {}",
                           Each.Meaning));
    S.measured(
        Path + "cas_latency", "clk", latency(T.Swap, Each.Of),
        fmt::format("chain of atomicCAS of one warp with a register move "
                    "between two, {}",
                    Each.Meaning));
  }
}

void Atomics::recordThroughput(const std::string &Path, HammerKernel Kernel,
                               const Pattern &P, uint32_t Value, bool InShared,
                               const std::string &Method) {
  const unsigned Rounds = enoughRounds(Kernel, P, Value, InShared);
  S.measured(Path, "1/clk", throughput(Kernel, P, Value, InShared, Rounds),
             Method + ", operations of a lane per cycle and SM, all SMs with "
                      "1024 threads, slowest SM");
  const std::optional<double> Mhz = S.value(paths::device_clock);
  if (!Mhz)
    return;
  const double Time = queuedMilliseconds([&] {
    Kernel<<<D.SmCount, Threads>>>(P, Rounds, Value, Words.get(), Cycles.get(),
                                   Out.get());
  });
  S.check(Path, "events and device.clock",
          double(Rounds) * PerRound * Threads / (Time * 1000 * *Mhz), 0.1);
}

void Atomics::throughputs(const Target &T) {
  const bool InShared = T.In == Space::Shared;
  for (const NamedPattern &Each : patterns(T.In)) {
    const std::string Path = fmt::format("{}.{}.", T.Path, Each.Name);
    recordThroughput(
        Path + "throughput", T.Adds, Each.Of, 1, InShared,
        fmt::format("atomicAdd with its result used, {}", Each.Meaning));
    recordThroughput(
        Path + "throughput_no_return", T.AddsNoReturn, Each.Of, 1, InShared,
        fmt::format("atomicAdd without its result, {}", Each.Meaning));
    // Expecting and writing 0 succeeds every time.
    if (!InShared)
      Words.zero();
    recordThroughput(Path + "cas_throughput", T.Swaps, Each.Of, 0, InShared,
                     fmt::format("atomicCAS that succeeds, {}", Each.Meaning));
  }
}

void Atomics::byDegree(const Target &T) {
  const bool InShared = T.In == Space::Shared;
  std::vector<std::array<double, 2>> Latencies, Rates;
  for (unsigned Degree = 1; Degree <= 32; ++Degree)
    Latencies.push_back(
        {double(Degree), latency(T.Add, {.Degree = Degree}).Value});
  for (unsigned Degree = 1; Degree <= 32; Degree *= 2) {
    const Pattern P{.Degree = Degree};
    const unsigned Rounds = enoughRounds(T.Adds, P, 1, InShared);
    Rates.push_back(
        {double(Degree), throughput(T.Adds, P, 1, InShared, Rounds).Value});
  }
  const char *X = "lanes of a warp that hit one word";
  S.curve(T.Path + ".latency_by_degree", X, "latency [clk]",
          std::move(Latencies),
          "chain of atomicAdd of one warp, the words lie side by side");
  S.curve(T.Path + ".throughput_by_degree", X,
          "operations per cycle and SM [1/clk]", std::move(Rates),
          "atomicAdd with its result used, all warps hit the same line");
}

void Atomics::scopes() {
  const std::pair<const char *, ChaseKernel> Scopes[] = {
      {"block", chase<Space::Global, Operation::Add, Scope::Block>},
      {"gpu", chase<Space::Global, Operation::Add, Scope::Gpu>},
      {"system", chase<Space::Global, Operation::Add, Scope::System>}};
  for (const auto &[Name, Kernel] : Scopes)
    S.measured(fmt::format("warp.atomics.global.scope_{}.latency", Name), "clk",
               latency(Kernel, {}),
               fmt::format("chain of atomicAdd of one warp with {} scope on "
                           "the words of one line",
                           Name));
}

void run(Session &S) {
  Atomics A(S);
  for (const Target &T : {target<Space::Shared>(paths::warp_atomics_shared),
                          target<Space::Global>(paths::warp_atomics_global)}) {
    A.latencies(T);
    A.throughputs(T);
    A.byDegree(T);
  }
  A.scopes();
}

/// Every quantity; the paths live as long as the list of benchmarks.
std::vector<Benchmark::Promise> promises() {
  static std::deque<std::string> Paths;
  std::vector<Benchmark::Promise> All;
  auto Add = [&](std::string Path, std::string_view Unit) {
    Paths.push_back(std::move(Path));
    All.push_back({Paths.back(), Unit});
  };
  for (const char *Memory : {"shared", "global"})
    for (const char *Pattern : {"same_address", "same_line", "spread"}) {
      for (const char *What : {"latency", "cas_latency"})
        Add(fmt::format("warp.atomics.{}.{}.{}", Memory, Pattern, What), "clk");
      for (const char *What :
           {"throughput", "throughput_no_return", "cas_throughput"})
        Add(fmt::format("warp.atomics.{}.{}.{}", Memory, Pattern, What),
            "1/clk");
    }
  for (const char *Scope : {"block", "gpu", "system"})
    Add(fmt::format("warp.atomics.global.scope_{}.latency", Scope), "clk");
  return All;
}

const Registration Registered({
    .Name = "atomics",
    .Measures = "atomics in shared and global memory",
    .When = Stage::Warp,
    .Provides = promises(),
    .Run = run,
});

} // namespace
} // namespace warpwise::harness

//===- ThreadLatency.cu - One thread's load-to-use latencies --------------===//
//
// Pointer chases without a clock inside give the latencies; the same walks with
// a bracket around each load are the second opinion.
//
//===----------------------------------------------------------------------===//

#include "kernels/harness/Benchmark.h"
#include "kernels/harness/Cuda.h"
#include "kernels/thread-latency/IndexChase.cuh"
#include "kernels/thread-latency/Walker.cuh"
#include "profiler/profile/Paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace warpwise::harness {
namespace {

using inference::Estimate;

constexpr unsigned ArithmeticUnroll = 256;

/// Dependent additions and exclusive ors of registers, no memory.
__global__ void arithmetic(unsigned Rounds, uint32_t Operand, uint64_t *Out) {
  uint32_t X = threadIdx.x;
  uint64_t Cycles = 0;
#pragma unroll 1
  for (unsigned Pass = 0; Pass < 2; ++Pass) {
    X = consume(threadIdx.x);
    const uint64_t Begin = clock64Now();
#pragma unroll 1
    for (unsigned I = 0; I < Rounds; ++I) {
#pragma unroll
      for (unsigned J = 0; J < ArithmeticUnroll / 2; ++J) {
        asm volatile("add.u32 %0, %0, %1;" : "+r"(X) : "r"(Operand));
        asm volatile("xor.b32 %0, %0, %1;" : "+r"(X) : "r"(Operand));
      }
    }
    X = consume(X);
    Cycles = clock64Now() - Begin;
  }
  Out[0] = Cycles;
  Out[1] = X;
}

/// What a bracket adds to a load, as seen on two memories.
struct Bias {
  double Shared = 0, L1 = 0;
};

struct Both {
  double Chase = 0;
  double Bracket = 0; ///< mean, with the bias
};

class ThreadLatency {
public:
  explicit ThreadLatency(Session &S) : S(S), W(S) {}

  void arithmeticLatency();
  void onChip();
  void constants();
  void l2();
  void dram();
  void bySteps();

private:
  template <Memory M>
  Both record(const std::string &Path, const Ring &Places,
              const std::string &Method);
  /// The bracket's opinion on a recorded path.
  void checkBracket(const std::string &Path, double Bracket, double Offset,
                    const char *CalibratedOn);
  template <Memory M>
  void recordChecked(const std::string &Path, const Ring &Places,
                     const std::string &Method) {
    const Both Now = record<M>(Path, Places, Method);
    checkBracket(Path, Now.Bracket, Extra.Shared, "shared memory");
  }
  template <Memory M> void bySteps(const std::string &Name);

  Session &S;
  Walker W;
  Bias Extra;
};

template <Memory M>
Both ThreadLatency::record(const std::string &Path, const Ring &Places,
                           const std::string &Method) {
  const Route R = W.place<M>(Places);
  const Estimate E =
      inference::untilStable([&] { return W.chase<M>(R, Places); });
  S.measured(Path, "clk", E, Method);
  const std::vector<double> Brackets = W.trace<M>(R);
  std::string Name = Path.substr(Path.find('.') + 1);
  std::replace(Name.begin(), Name.end(), '.', '-');
  S.trace(Name, {{"bracket [clk]", Brackets}});
  return {E.Value, inference::mean(Brackets)};
}

void ThreadLatency::checkBracket(const std::string &Path, double Bracket,
                                 double Offset, const char *CalibratedOn) {
  const double Value = Bracket - Offset;
  S.check(Path,
          fmt::format("mean of bracketed loads less the bracket's {:.1f} clk, "
                      "calibrated on {}",
                      Offset, CalibratedOn),
          Value, Value > 0 ? 0.01 + 2 / Value : 0);
}

void ThreadLatency::arithmeticLatency() {
  constexpr unsigned Rounds = 32;
  constexpr unsigned Instructions = Rounds * ArithmeticUnroll;
  const uint32_t Operand = uint32_t(S.random()()) | 1;
  uint32_t Expected = 0;
  for (unsigned I = 0; I != Instructions / 2; ++I)
    Expected = (Expected + Operand) ^ Operand;
  Buffer<uint64_t> Out(2);
  const Estimate E = inference::untilStable([&] {
    arithmetic<<<1, 1>>>(Rounds, Operand, Out.get());
    finish();
    const std::vector<uint64_t> Result = Out.download();
    if (Result[1] != Expected)
      throw CudaFailure("a chain of additions gave a wrong sum");
    return double(Result[0]) / Instructions;
  });
  S.measured(paths::levels_register_latency, "clk", E,
             "chain of dependent integer additions and exclusive ors, cycles "
             "per instruction");
}

void ThreadLatency::onChip() {
  constexpr unsigned SharedBytes = ArrayWords * 4, L1Bytes = 32 << 10;
  constexpr unsigned Sector = 32;
  const auto Ring32K = randomRing(S, L1Bytes, Sector, L1Bytes / Sector);
  const auto Chase = [](const char *What) {
    return fmt::format("pointer chase without a clock inside, {}", What);
  };
  const Both L1 = record<Memory::L1>(
      paths::levels_l1_latency, Ring32K,
      Chase("64-bit pointers in random order over 32 KB, ld.global.ca"));
  const Both Shared = record<Memory::Shared>(
      paths::levels_shared_latency, randomRing(S, SharedBytes, 4, ArrayWords),
      Chase("4-byte addresses in random order over 8 KB"));
  Extra = {Shared.Bracket - Shared.Chase, L1.Bracket - L1.Chase};
  checkBracket(paths::levels_l1_latency, L1.Bracket, Extra.Shared,
               "shared memory");
  checkBracket(paths::levels_shared_latency, Shared.Bracket, Extra.L1, "L1");

  const auto Ring16 = randomRing(S, SharedBytes, 16, ArrayWords);
  recordChecked<Memory::Shared8>(paths::levels_shared_latency_b8, Ring16,
                                 Chase("8-byte loads, ld.shared.v2"));
  recordChecked<Memory::Shared16>(paths::levels_shared_latency_b16, Ring16,
                                  Chase("16-byte loads, ld.shared.v4"));
  recordChecked<Memory::L1Word>(
      paths::levels_l1_latency_b4, Ring32K,
      Chase("4-byte loads of the address's lower half"));
  S.alias(paths::levels_l1_latency_b8, paths::levels_l1_latency);
  recordChecked<Memory::L1Quad>(paths::levels_l1_latency_b16, Ring32K,
                                Chase("16-byte loads, ld.global.ca.v2.u64"));
  recordChecked<Memory::ReadOnly>(
      paths::levels_readonly_latency, Ring32K,
      Chase("64-bit pointers in random order over 32 KB, ld.global.nc"));
  recordChecked<Memory::Texture>(
      paths::levels_texture_latency, Ring32K,
      Chase("tex1Dfetch whose value is the next index, 32 KB"));
  S.measured(
      paths::levels_shared_latency_indexed, "clk",
      inference::untilStable([&] { return indexedStep<true>(S.random()); }),
      "P = Array[P] in C, 8 KB in random order: with the index's "
      "arithmetic, as published figures mostly are");
  S.measured(
      paths::levels_l1_latency_indexed, "clk",
      inference::untilStable([&] { return indexedStep<false>(S.random()); }),
      "P = Array[P] in C, 8 KB in random order: with the index's "
      "arithmetic, as published figures mostly are");
  // Neighbouring words of one thread's array lie 128 B apart, so 256 words are
  // as many lines of L1 as the walks above.
  recordChecked<Memory::Local>(
      paths::levels_local_latency, randomRing(S, 1024, 4, 256),
      Chase("a private array of 256 words in random order, ld.local"));
}

void ThreadLatency::constants() {
  constexpr unsigned Line = 64;
  recordChecked<Memory::Constant>(
      paths::levels_constant_latency, randomRing(S, 1024, 4, 256),
      "pointer chase without a clock inside, 4-byte addresses in random order "
      "over 1 KB, ld.const with an address in a register");
  recordChecked<Memory::Constant>(
      paths::levels_constant_l15_latency, randomRing(S, 16 << 10, Line, 256),
      "pointer chase without a clock inside, one word of every 64 B in random "
      "order over 16 KB, ld.const with an address in a register");
  std::vector<std::array<double, 2>> Points;
  for (unsigned Bytes = 512; Bytes <= ConstantWords * 4; Bytes += Bytes / 2) {
    const unsigned Whole = Bytes / Line * Line;
    const Ring Places = randomRing(S, Whole, Line, Whole / Line);
    Points.push_back(
        {double(Whole),
         W.chase<Memory::Constant>(W.place<Memory::Constant>(Places), Places)});
  }
  S.curve(paths::levels_constant_latency_by_footprint, "footprint [B]",
          "latency [clk]", std::move(Points),
          "pointer chase through one word of every 64 B in random order");
}

void ThreadLatency::l2() {
  const uint64_t Bytes = std::min<uint64_t>(8 << 20, S.device().L2Bytes / 4);
  recordChecked<Memory::L2>(
      paths::levels_l2_latency, randomRing(S, Bytes, LineBytes, FarSteps),
      fmt::format("pointer chase without a clock inside, {} random lines over "
                  "{} KB, warmed by the same thread, ld.global.cg",
                  std::min<uint64_t>(FarSteps, Bytes / LineBytes),
                  Bytes >> 10));
}

void ThreadLatency::dram() {
  // The first line of a page is what the TLBs are warmed with.
  Ring Lines;
  for (uint32_t At : randomRing(S, DramBytes, LineBytes, 2 * FarSteps))
    if (At % PageBytes != 0 && Lines.size() != FarSteps)
      Lines.push_back(At);
  Ring Pages;
  for (uint64_t At = 0; At != DramBytes; At += PageBytes)
    Pages.push_back(uint32_t(At));
  const Route Warm = W.place<Memory::L2>(Pages);
  Route R = W.place<Memory::L2>(Lines, FarSteps);
  R.WarmFrom = Warm.From;
  R.WarmSteps = unsigned(Pages.size());
  R.Passes = 1;

  flushL2(S.device());
  std::vector<double> Brackets = W.trace<Memory::L2>(R);
  const double Bracket = inference::mean(Brackets);
  for (double &Each : Brackets)
    Each -= Extra.Shared;
  S.trace("dram-latency", {{"latency [clk]", Brackets}});
  const double L2 = S.need(paths::levels_l2_latency);
  // Well above any hit and well below any miss.
  const double Left =
      double(std::count_if(Brackets.begin(), Brackets.end(),
                           [&](double Each) { return Each < 1.25 * L2; })) /
      double(Brackets.size());
  if (Left > 0.1)
    throw Skip(fmt::format("{:.0f} % of the lines were still in L2 after it "
                           "was flushed",
                           100 * Left));

  const Estimate E = inference::untilStable(
      [&] {
        flushL2(S.device());
        return W.chase<Memory::L2>(R, Lines);
      },
      {.Least = 5, .Most = 15});
  S.measured(paths::levels_dram_latency, "clk", E,
             fmt::format("pointer chase without a clock inside, {} random "
                         "lines of 8 pages visited once after a flush of L2, "
                         "TLBs warm, {:.1f} % of the lines still in L2",
                         FarSteps, 100 * Left));
  checkBracket(paths::levels_dram_latency, Bracket, Extra.Shared,
               "shared memory");

  constexpr double Bin = 10;
  std::map<double, double> Shares;
  for (double Each : Brackets)
    Shares[std::floor(Each / Bin) * Bin] += 1.0 / double(Brackets.size());
  std::vector<std::array<double, 2>> Points;
  for (const auto &[Latency, Share] : Shares)
    Points.push_back({Latency, Share});
  S.curve(paths::levels_dram_latency_distribution, "latency [clk]",
          "share of the loads", std::move(Points),
          "bracketed loads less the bracket, in steps of 10 clk");

  const std::optional<double> Between = inference::parting(Brackets, 60);
  if (!Between) {
    const std::string Why = "the latencies of single loads form one group; "
                            "near and far memory do not show";
    S.notMeasurable(paths::levels_dram_latency_near, "clk", Why);
    S.notMeasurable(paths::levels_dram_latency_far, "clk", Why);
    return;
  }
  std::vector<double> Groups[2];
  for (double Each : Brackets)
    Groups[Each > *Between].push_back(Each);
  const profile::EntryPath Paths[] = {paths::levels_dram_latency_near,
                                      paths::levels_dram_latency_far};
  for (unsigned I = 0; I != 2; ++I)
    S.measured(
        Paths[I], "clk", inference::estimate(Groups[I]),
        fmt::format("median of the {} group of bracketed loads less the "
                    "bracket, {:.0f} % of them",
                    I == 0 ? "first" : "second",
                    100 * double(Groups[I].size()) / double(Brackets.size())));
}

template <Memory M> void ThreadLatency::bySteps(const std::string &Name) {
  std::vector<std::array<double, 2>> Points;
  for (unsigned Step = 1; Step <= 1024; Step *= 2) {
    const Ring Places = stepRing(Step);
    Points.push_back({double(Step), W.chase<M>(W.place<M>(Places), Places)});
  }
  S.curve(paths::ofLevel(Name, "latency_by_step"), "step [elements]",
          "latency [clk]", std::move(Points),
          "pointer chase around an array of 2048 integers in equal steps");
}

void ThreadLatency::bySteps() {
  bySteps<Memory::Constant>("constant");
  bySteps<Memory::Shared>("shared");
  bySteps<Memory::Local>("local");
  bySteps<Memory::L1Word>("global");
  bySteps<Memory::Texture>("texture");
}

void run(Session &S) {
  ThreadLatency Measure(S);
  Measure.arithmeticLatency();
  Measure.onChip();
  Measure.constants();
  Measure.bySteps();
  Measure.l2();
  Measure.dram();
}

const Registration Registered({
    .Name = "thread-latency",
    .Measures = "load-to-use latency of every memory for one thread",
    .When = Stage::Latency,
    .Quick = true,
    .Provides = {{paths::levels_register_latency, "clk"},
                 {paths::levels_shared_latency, "clk"},
                 {paths::levels_shared_latency_b8, "clk"},
                 {paths::levels_shared_latency_b16, "clk"},
                 {paths::levels_l1_latency, "clk"},
                 {paths::levels_l1_latency_b4, "clk"},
                 {paths::levels_l1_latency_b8, "clk"},
                 {paths::levels_l1_latency_b16, "clk"},
                 {paths::levels_readonly_latency, "clk"},
                 {paths::levels_texture_latency, "clk"},
                 {paths::levels_local_latency, "clk"},
                 {paths::levels_constant_latency, "clk"},
                 {paths::levels_constant_l15_latency, "clk"},
                 {paths::levels_l2_latency, "clk"},
                 {paths::levels_dram_latency, "clk"},
                 {paths::levels_dram_latency_near, "clk"},
                 {paths::levels_dram_latency_far, "clk"}},
    .Run = run,
});

} // namespace
} // namespace warpwise::harness

//===- Guard.cu - When not to measure -------------------------------------===//

#include "kernels/harness/Cuda.h"
#include "kernels/harness/CudaProbe.h"
#include "kernels/harness/Guard.h"
#include "kernels/harness/PointerChase.h"
#include "profiler/inference/Statistics.h"

#include <fmt/format.h>

#include <cmath>

namespace warpwise::harness {

namespace {

constexpr uint64_t Stride = 128;
constexpr uint64_t Lines = 128;

/// Latency of a warm traversal by the bracket and without one.
struct BothWays {
  double Bracketed, Chased;
};

/// About 0.2 ms.
constexpr long long SpinCycles = 300'000;

__global__ void spin(long long Cycles) {
  const long long Begin = clock64();
  while (clock64() - Begin < Cycles)
    ;
}

/// Milliseconds from one launch to the next of \p Launches that are all queued
/// before. Where each is waited for, others get their turns in between: beside
/// a busy process on an H100 none of 300 took longer, though all together took
/// 2.5 to 9 times as long.
std::vector<double> spinInARow(unsigned Launches) {
  std::vector<cudaEvent_t> Events(Launches + 1);
  for (cudaEvent_t &Each : Events)
    check(cudaEventCreate(&Each));
  check(cudaEventRecord(Events[0]));
  for (unsigned I = 0; I != Launches; ++I) {
    spin<<<1, 1>>>(SpinCycles);
    check(cudaEventRecord(Events[I + 1]));
  }
  finish();
  std::vector<double> Times;
  for (unsigned I = 0; I != Launches; ++I) {
    float Time = 0;
    check(cudaEventElapsedTime(&Time, Events[I], Events[I + 1]));
    Times.push_back(Time);
  }
  for (cudaEvent_t Each : Events)
    cudaEventDestroy(Each);
  return Times;
}

BothWays measure(const Device &D, ProbedPath Bracket, Path Through) {
  std::vector<uint64_t> Once(Lines);
  for (uint64_t I = 0; I != Lines; ++I)
    Once[I] = I * Stride;
  std::vector<uint64_t> Twice = Once;
  Twice.insert(Twice.end(), Once.begin(), Once.end());
  CudaProbe Probe(D, {.Path = Bracket, .Bytes = Lines * Stride});
  const std::vector<float> Times = Probe.time(Twice);
  const std::vector<double> Warm(Times.begin() + Lines, Times.end());
  PointerChase Chase(D, Through, Lines * Stride);
  Chase.link(Once);
  // Means on both sides: lines of L2 differ in their distance.
  return {inference::mean(Warm), Chase.cycles(Lines, 16 * Lines)};
}

} // namespace

void guardTiming(const Device &D) {
  const BothWays L1 = measure(D, ProbedPath::GlobalL1, Path::L1);
  const BothWays L2 = measure(D, ProbedPath::GlobalL2, Path::L2);
  const double Bias1 = L1.Bracketed - L1.Chased;
  const double Bias2 = L2.Bracketed - L2.Chased;
  const bool Waits = L1.Chased > 5 && L2.Chased > 1.5 * L1.Chased &&
                     Bias1 > 0 && std::abs(Bias2 - Bias1) < 0.1 * L2.Chased;
  if (!Waits)
    throw Skip(fmt::format(
        "this build's clock bracket does not wait for the load it times: "
        "{:.0f} "
        "and {:.0f} cycles for hits in L1 and L2, where a pointer chase takes "
        "{:.0f} and {:.0f}; nothing is published",
        L1.Bracketed, L2.Bracketed, L1.Chased, L2.Chased));
}

inference::IdleEvidence observe(const Device &D, bool Brief) {
  inference::IdleEvidence Seen;
  // L2 and the clock are shared with whoever else runs: a chase through L2
  // notices both.
  constexpr uint64_t Many = 2048;
  std::vector<uint64_t> Order(Many);
  for (uint64_t I = 0; I != Many; ++I)
    Order[I] = (I * 1597 % Many) * 1024;
  PointerChase Chase(D, Path::L2, Many * 1024);
  Chase.link(Order);
  for (unsigned I = 0; I != 25; ++I)
    Seen.ChaseCycles.push_back(Chase.cycles(I == 0 ? Many : 0, Many));
  // Slices of time are some milliseconds: enough launches to see several.
  Seen.SpinMilliseconds = spinInARow(Brief ? 100 : 300);
  return Seen;
}

void guardMemory(const Device &D) {
  constexpr uint64_t Least = uint64_t(1) << 30;
  if (D.FreeBytes < Least)
    throw Skip(fmt::format("only {} MiB of the GPU's memory are free, 1024 are "
                           "needed",
                           D.FreeBytes >> 20));
}

} // namespace warpwise::harness

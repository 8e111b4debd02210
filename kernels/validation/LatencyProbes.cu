//===- LatencyProbes.cu - Chases through random footprints ----------------===//

#include "kernels/harness/PointerChase.h"
#include "kernels/validation/Validation.h"
#include "profiler/inference/MemoryPrediction.h"
#include "profiler/profile/Paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace warpwise::harness {
namespace {

constexpr unsigned ProbesPerLevel = 12;
constexpr uint64_t Line = 128;
constexpr uint64_t Sample = 8192;

/// A footprint between \p Low and \p High, each doubling as likely.
uint64_t randomFootprint(Session &S, uint64_t Low, uint64_t High) {
  std::uniform_real_distribution<double> Octave(std::log2(double(Low)),
                                                std::log2(double(High)));
  return uint64_t(std::exp2(Octave(S.random()))) / Line * Line;
}

void probe(Session &S, PointerChase &Chase, std::string_view Level,
           uint64_t Bytes, bool Small, std::vector<ValidationProbe> &Probes) {
  const auto Predicted = inference::warmLatency(S.results(), Level, Bytes);
  if (!Predicted)
    return;
  const uint64_t Lines = Bytes / Line, Count = std::min(Lines, Sample);
  Chase.link(spreadLines(Lines, Count, S.random()));
  if (!Small)
    Chase.touch(std::min(Bytes, 4 * S.device().L2Bytes));
  const double Measured =
      Small ? Chase.cycles(3 * Lines, std::max<uint64_t>(Lines, 4096))
            : Chase.cycles(0, Count);
  Probes.push_back({fmt::format("pointer chase through {} bytes, {}", Bytes,
                                Small ? "ld.global.ca" : "ld.global.cg"),
                    Predicted->Cycles, Measured});
}

} // namespace

void validateLatency(Session &S) {
  const Device &D = S.device();
  std::vector<ValidationProbe> Probes;
  {
    // Close to the capacity one line more or less decides; there a curve of
    // some points predicts nothing.
    const auto High = uint64_t(0.95 * S.need(paths::levels_l1_capacity));
    PointerChase Chase(D, Path::L1, High);
    for (unsigned I = 0; I != ProbesPerLevel; ++I)
      probe(S, Chase, paths::levels_l1, randomFootprint(S, 4096, High), true,
            Probes);
  }
  const uint64_t High = std::min<uint64_t>(uint64_t(8) << 30, D.FreeBytes / 4);
  PointerChase Chase(D, Path::L2, High);
  for (unsigned I = 0; I != ProbesPerLevel; ++I)
    probe(S, Chase, paths::levels_l2,
          randomFootprint(S, uint64_t(1) << 20, High / 2), false, Probes);
  recordProbes(S, "latency", "clk", Probes);
}

} // namespace warpwise::harness

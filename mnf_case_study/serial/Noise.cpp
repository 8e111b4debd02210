//===- Noise.cpp ----------------------------------------------------------===//

#include "mnf_case_study/serial/Noise.h"

#include <algorithm>
#include <array>

namespace mnf {

template <typename Sample> static Sample meanOf(std::array<Sample, 9> Window) {
  // All of a window of 16-bit samples fits an int.
  std::conditional_t<std::is_floating_point_v<Sample>, float, int> Sum = 0;
  for (Sample S : Window)
    Sum += S;
  return Sample(Sum / 9);
}

/// By Paeth's 19 exchanges ("Median finding on a 3x3 grid", 1990): no branches,
/// five times as fast as std::nth_element.
template <typename Sample> static Sample medianOf(std::array<Sample, 9> P) {
  const auto Sort = [&](size_t A, size_t B) {
    const Sample Small = std::min(P[A], P[B]);
    P[B] = std::max(P[A], P[B]);
    P[A] = Small;
  };
  Sort(1, 2), Sort(4, 5), Sort(7, 8), Sort(0, 1), Sort(3, 4), Sort(6, 7);
  Sort(1, 2), Sort(4, 5), Sort(7, 8), Sort(0, 3), Sort(5, 8), Sort(4, 7);
  Sort(3, 6), Sort(1, 4), Sort(2, 5), Sort(4, 7), Sort(4, 2), Sort(6, 4);
  Sort(4, 2);
  return P[4];
}

template <typename Sample>
void estimateNoise(const Sample *Plane, size_t Lines, size_t Samples,
                   size_t First, size_t Count, NoiseEstimate Estimate,
                   NoiseOf<Sample> *Noise) {
  using Difference = NoiseOf<Sample>;
  for (size_t Line = First; Line < First + Count; ++Line) {
    const Sample *Rows[] = {Plane + (Line == 0 ? 0 : Line - 1) * Samples,
                            Plane + Line * Samples,
                            Plane + std::min(Line + 1, Lines - 1) * Samples};
    for (size_t Column = 0; Column < Samples; ++Column) {
      const size_t Left = Column == 0 ? 0 : Column - 1;
      const size_t Right = std::min(Column + 1, Samples - 1);
      const Sample Here = Rows[1][Column];
      Sample Signal;
      if (Estimate == NoiseEstimate::Shift) {
        Signal = Rows[1][Right == Column ? Left : Right];
      } else {
        std::array<Sample, 9> Window;
        for (size_t Row = 0; Row < 3; ++Row) {
          Window[3 * Row] = Rows[Row][Left];
          Window[3 * Row + 1] = Rows[Row][Column];
          Window[3 * Row + 2] = Rows[Row][Right];
        }
        Signal =
            Estimate == NoiseEstimate::Mean ? meanOf(Window) : medianOf(Window);
      }
      *Noise++ = Difference(Here) - Difference(Signal);
    }
  }
}

template void estimateNoise(const uint8_t *, size_t, size_t, size_t, size_t,
                            NoiseEstimate, int16_t *);
template void estimateNoise(const int16_t *, size_t, size_t, size_t, size_t,
                            NoiseEstimate, int32_t *);
template void estimateNoise(const uint16_t *, size_t, size_t, size_t, size_t,
                            NoiseEstimate, int32_t *);
template void estimateNoise(const float *, size_t, size_t, size_t, size_t,
                            NoiseEstimate, float *);

} // namespace mnf

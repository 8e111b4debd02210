//===- Noise.cu - Noise of any type by any estimate -----------------------===//
//
// A band is one long row of pixels, as in noise_filter/PackedMedian.cuh; a
// thread takes a word of them, one to four. Lines begin anywhere in a word, so
// a line has the words that begin in it: the blocks are as wide as a warp and
// some lines high, which they share through L1. The windows of a word lie in
// three words of each line, whatever the type and wherever those begin.
//
// Words of floats are pixels: those of several lines lie below each other, so a
// thread takes a column of four and loads six lines for them, not twelve.
//
//===----------------------------------------------------------------------===//

#include "../noise_filter/Median.cuh"
#include "Doubles.h"

namespace mnf::doubles {

constexpr int WordsOfBlock = 32, LinesOfBlock = 8;

template <typename Sample> struct TypeOf {
  using Value = int;
};
template <> struct TypeOf<float> {
  using Value = float;
};

template <typename Sample> constexpr int OfWord = 4 / sizeof(Sample);
template <typename Sample>
constexpr int LinesOfThread = OfWord<Sample> == 1 ? 4 : 1;

/// The samples of a word of pixels and those beside them.
template <typename Sample> struct Line {
  typename TypeOf<Sample>::Value Of[OfWord<Sample> + 2];
};

template <typename Sample>
__device__ static Line<Sample> loadLine(const Sample *At, int Less) {
  uintptr_t Address = reinterpret_cast<uintptr_t>(At - 1);
  const auto *From =
      reinterpret_cast<const uint32_t *>(Address & ~uintptr_t(3));
  uint32_t Words[3] = {From[0], From[1], From[2]};
  Line<Sample> Result;
  if constexpr (sizeof(Sample) == 4) {
#pragma unroll
    for (int I = 0; I < 3; ++I)
      Result.Of[I] = __uint_as_float(Words[I]);
  } else {
    constexpr int Bits = 8 * sizeof(Sample), InWord = OfWord<Sample>;
    uint32_t Shift = 8 * (Address & 3);
    uint32_t Aligned[2] = {__funnelshift_r(Words[0], Words[1], Shift),
                           __funnelshift_r(Words[1], Words[2], Shift)};
#pragma unroll
    for (int I = 0; I < InWord + 2; ++I)
      Result.Of[I] =
          int(Aligned[I / InWord] >> I % InWord * Bits & ((1u << Bits) - 1)) -
          Less;
  }
  return Result;
}

/// What stands beside pixel \p I of a word, whose neighbours are there, too.
/// The edge of a line repeats itself.
template <typename T, int Count>
__device__ static T leftOf(const T (&Of)[Count], int I, int Column) {
  return Column == 0 ? Of[I + 1] : Of[I];
}
template <typename T, int Count>
__device__ static T rightOf(const T (&Of)[Count], int I, int Column,
                            int Samples) {
  return Column + 1 == Samples ? Of[I + 1] : Of[I + 2];
}

/// What the pixels of a word differ by from what is estimated of the lines
/// around. \p Column is that of the first.
template <Signal To, typename Sample>
__device__ static void
differences(float (&Result)[OfWord<Sample>], const Line<Sample> &Above,
            const Line<Sample> &Middle, const Line<Sample> &Below, int Column,
            int Samples) {
  constexpr int InWord = OfWord<Sample>;
  using Value = typename TypeOf<Sample>::Value;
  SortedColumnOf<Value> Sorted[InWord + 2];
  if constexpr (To == Signal::Median)
#pragma unroll
    for (int I = 0; I < InWord + 2; ++I)
      Sorted[I] = sortColumn<Value>(Above.Of[I], Middle.Of[I], Below.Of[I]);

#pragma unroll
  for (int I = 0; I < InWord; ++I) {
    Value Estimate;
    if constexpr (To == Signal::Neighbour) {
      Estimate = Column + 1 == Samples ? Middle.Of[I] : Middle.Of[I + 2];
    } else if constexpr (To == Signal::Median) {
      Estimate = medianOf(leftOf(Sorted, I, Column), Sorted[I + 1],
                          rightOf(Sorted, I, Column, Samples));
    } else {
      // In the order of the serial version, as floats depend on it.
      Value Sum = 0;
      const auto AddLine = [&](const Line<Sample> &From) {
        Sum += leftOf(From.Of, I, Column);
        Sum += From.Of[I + 1];
        Sum += rightOf(From.Of, I, Column, Samples);
      };
      AddLine(Above);
      AddLine(Middle);
      AddLine(Below);
      Estimate = Sum / 9;
    }
    Result[I] = float(Middle.Of[I + 1] - Estimate);
    Column = Column + 1 == Samples ? 0 : Column + 1;
  }
}

template <Signal To, typename Sample>
__global__ void estimateWords(const Sample *Image, float *Noise, int Samples,
                              int Lines, int Pitch, int NoisePitch, int Less) {
  constexpr int InWord = OfWord<Sample>, Rows = LinesOfThread<Sample>;
  int OfBand = (blockIdx.y * LinesOfBlock + threadIdx.y) * Rows;
  if (OfBand >= Lines)
    return;
  const auto WordsBefore = [&](int Pixel) {
    return (Pixel + InWord - 1) / InWord;
  };
  int Word =
      WordsBefore(OfBand * Samples) + blockIdx.x * WordsOfBlock + threadIdx.x;
  if (Word >= WordsBefore((OfBand + 1) * Samples))
    return;
  int Pixel = Word * InWord, Column = Pixel - OfBand * Samples;
  const int LinesLeft = Rows == 1 ? 1 : Lines - OfBand;
  const Sample *At = Image + size_t(blockIdx.z) * Pitch + Pixel;
  // The one above the first, and the one below the last.
  constexpr bool IsAlone = To == Signal::Neighbour;
  Line<Sample> Of[Rows + 2];
#pragma unroll
  for (int R = IsAlone ? 1 : 0; R < Rows + (IsAlone ? 1 : 2); ++R)
    Of[R] = loadLine(At + min(R - 1, LinesLeft) * Samples, Less);

  // The pitch leaves room for what is behind the last pixel.
  float *Into = Noise + size_t(blockIdx.z) * NoisePitch + Pixel;
#pragma unroll
  for (int R = 0; R < Rows; ++R)
    if (R < LinesLeft) {
      struct alignas(4 * InWord) {
        float Of[InWord];
      } Result;
      differences<To, Sample>(Result.Of, Of[R], Of[R + 1], Of[R + 2], Column,
                              Samples);
      *reinterpret_cast<decltype(Result) *>(Into + R * Samples) = Result;
    }
}

template <typename Sample>
void estimateNoise(const Sample *Image, float *Noise, Signal To, int Samples,
                   int Lines, int Bands, int Pitch, int NoisePitch, int Less) {
  constexpr int OfBlock = WordsOfBlock * OfWord<Sample>,
                Rows = LinesOfBlock * LinesOfThread<Sample>;
  dim3 Block(WordsOfBlock, LinesOfBlock);
  dim3 Grid((Samples + OfBlock - 1) / OfBlock, (Lines + Rows - 1) / Rows,
            Bands);
  switch (To) {
  case Signal::Mean:
    estimateWords<Signal::Mean><<<Grid, Block>>>(Image, Noise, Samples, Lines,
                                                 Pitch, NoisePitch, Less);
    break;
  case Signal::Median:
    estimateWords<Signal::Median><<<Grid, Block>>>(Image, Noise, Samples, Lines,
                                                   Pitch, NoisePitch, Less);
    break;
  case Signal::Neighbour:
    estimateWords<Signal::Neighbour><<<Grid, Block>>>(
        Image, Noise, Samples, Lines, Pitch, NoisePitch, Less);
    break;
  }
}

template void estimateNoise(const uint8_t *, float *, Signal, int, int, int,
                            int, int, int);
template void estimateNoise(const uint16_t *, float *, Signal, int, int, int,
                            int, int, int);
template void estimateNoise(const float *, float *, Signal, int, int, int, int,
                            int, int);

} // namespace mnf::doubles

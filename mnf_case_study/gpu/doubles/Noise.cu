//===- Noise.cu - Noise of any type by any estimate -----------------------===//
//
// A band is one long row of pixels, as in noise_filter/PackedMedian.cuh; a
// thread takes a word of them, one to four. Lines begin anywhere in a word, so
// a line has the words that begin in it: the blocks are as wide as a warp and
// some lines high, which they share through L1. The windows of a word lie in
// three words of each line, whatever the type and wherever those begin.
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

template <Signal To, typename Sample>
__global__ void estimateWords(const Sample *Image, float *Noise, int Samples,
                              int Lines, int Pitch, int NoisePitch, int Less) {
  constexpr int InWord = OfWord<Sample>;
  using Value = typename TypeOf<Sample>::Value;
  int OfBand = blockIdx.y * LinesOfBlock + threadIdx.y;
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
  const Sample *At = Image + size_t(blockIdx.z) * Pitch + Pixel;
  const Line<Sample> Middle = loadLine(At, Less);
  struct alignas(4 * InWord) {
    float Of[InWord];
  } Result;

  SortedColumnOf<Value> Sorted[InWord + 2];
  Line<Sample> Above, Below;
  if constexpr (To != Signal::Neighbour) {
    Above = loadLine(At - Samples, Less);
    Below = loadLine(At + Samples, Less);
  }
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
    Result.Of[I] = float(Middle.Of[I + 1] - Estimate);
    Column = Column + 1 == Samples ? 0 : Column + 1;
  }
  // The pitch leaves room for what is behind the last pixel.
  *reinterpret_cast<decltype(Result) *>(
      Noise + size_t(blockIdx.z) * NoisePitch + Pixel) = Result;
}

template <typename Sample>
void estimateNoise(const Sample *Image, float *Noise, Signal To, int Samples,
                   int Lines, int Bands, int Pitch, int NoisePitch, int Less) {
  constexpr int OfBlock = WordsOfBlock * OfWord<Sample>;
  dim3 Block(WordsOfBlock, LinesOfBlock);
  dim3 Grid((Samples + OfBlock - 1) / OfBlock,
            (Lines + LinesOfBlock - 1) / LinesOfBlock, Bands);
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

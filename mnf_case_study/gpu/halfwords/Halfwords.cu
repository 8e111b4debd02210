//===- Halfwords.cu -------------------------------------------------------===//

#include "Halfwords.h"

#include "../DeviceImage.h"
#include "../covariance/Covariance.h"
#include "../noise_filter/Median.cuh"

namespace mnf {

constexpr int Threads = 256;

/// Two samples a thread.
__global__ void splitWords(const uint16_t *Image, SplitPlanes To, int Pixels,
                           int Pitch) {
  int Pixel = 2 * (blockIdx.x * Threads + threadIdx.x);
  if (Pixel >= Pixels)
    return;
  uint32_t Pair = *reinterpret_cast<const uint32_t *>(
      Image + size_t(blockIdx.y) * Pitch + Pixel);
  size_t Here = size_t(blockIdx.y) * To.BytesPitch + Pixel;
  *reinterpret_cast<uint16_t *>(To.Low + Here) = __byte_perm(Pair, 0, 0x4420);
  *reinterpret_cast<uint16_t *>(To.High + Here) = __byte_perm(Pair, 0, 0x4431);
}

void splitSamples(const uint16_t *Image, const SplitPlanes &To, int Bands,
                  int Pixels, int Pitch) {
  dim3 Grid((Pixels + 2 * Threads - 1) / (2 * Threads), Bands);
  splitWords<<<Grid, Threads>>>(Image, To, Pixels, Pitch);
}

/// The noise of a pixel, plus the offset.
__device__ static int noiseAt(const uint16_t *At, int Column, int Samples) {
  int Left = Column == 0 ? 0 : -1, Right = Column + 1 == Samples ? 0 : 1;
  const auto Sorted = [&](int Beside) {
    return sortColumn(At[Beside - Samples], At[Beside], At[Beside + Samples]);
  };
  return *At - medianOf(Sorted(Left), Sorted(0), Sorted(Right)) +
         HalfwordOffset;
}

/// \p Wide: how many pixels are listed; for each, whether it is; the list.
__global__ void splitNoiseOfPixels(const uint16_t *Image, SplitPlanes To,
                                   int *Wide, int Samples, int Pixels,
                                   int Pitch) {
  int Pixel = blockIdx.x * Threads + threadIdx.x;
  if (Pixel >= Pixels)
    return;
  int Noise = noiseAt(Image + size_t(blockIdx.y) * Pitch + Pixel,
                      Pixel % Samples, Samples);
  size_t Here = size_t(blockIdx.y) * To.BytesPitch + Pixel;
  To.Low[Here] = uint8_t(Noise);
  To.High[Here] = uint8_t(Noise >> 8);
  if ((Noise & ~0xffff) && atomicExch(&Wide[1 + Pixel], 1) == 0)
    Wide[1 + Pixels + atomicAdd(Wide, 1)] = Pixel;
}

size_t wideHalfwordBytes(int Pixels) {
  return sizeof(int) * (1 + 2 * size_t(Pixels));
}

void splitNoise(const uint16_t *Image, const SplitPlanes &To, int *Wide,
                int Samples, int Lines, int Bands, int Pitch) {
  int Pixels = Samples * Lines;
  cudaMemsetAsync(Wide, 0, wideHalfwordBytes(Pixels));
  dim3 Grid((Pixels + Threads - 1) / Threads, Bands);
  splitNoiseOfPixels<<<Grid, Threads>>>(Image, To, Wide, Samples, Pixels,
                                        Pitch);
}

/// V7 multiplies 224 rows with each other. Of two kinds of bytes and two halves
/// of the bands it gets two sets of 112 rows at a time.
constexpr int HalfBands = MostBands / 2;

struct RowSet {
  bool High, SecondHalf;
};

struct Round {
  RowSet Of[2];
  /// Whether the products inside of the sets count; those between them do.
  bool Inside;
};

/// Together, each pair of rows once.
constexpr Round Rounds[] = {
    {{{true, false}, {false, false}}, true},
    {{{true, true}, {false, true}}, true},
    {{{true, false}, {true, true}}, false},
    {{{false, false}, {false, true}}, false},
    {{{true, false}, {false, true}}, false},
    {{{false, false}, {true, true}}, false},
};

/// Adds what V7 made of a round.
__global__ void addRound(const int64_t *OfRows, const int64_t *RowSums,
                         Round Which, int64_t *Products, int64_t *OfBands,
                         int Bands) {
  int Column = threadIdx.x, Row = blockIdx.x;
  if (Row > Column)
    return;
  const auto BandOf = [&](int Of) {
    return Of % HalfBands +
           (Which.Of[Of / HalfBands].SecondHalf ? HalfBands : 0);
  };
  const auto WeightOf = [&](int Of) {
    return Which.Of[Of / HalfBands].High ? 256 : 1;
  };
  int A = BandOf(Row), B = BandOf(Column);
  bool Between = Row / HalfBands != Column / HalfBands;
  if (max(A, B) >= Bands || !(Between || Which.Inside))
    return;
  const auto Add = [](int64_t *To, int64_t Of) {
    atomicAdd(reinterpret_cast<unsigned long long *>(To),
              static_cast<unsigned long long>(Of));
  };
  // High times low of one band counts in both orders.
  int64_t Weight =
      WeightOf(Row) * WeightOf(Column) * (Between && A == B ? 2 : 1);
  Add(&Products[min(A, B) * Bands + max(A, B)],
      Weight * OfRows[Row * MostBands + Column]);
  if (Row == Column)
    Add(&OfBands[A], WeightOf(Row) * RowSums[Row]);
}

size_t halfwordScratchBytes(int Pixels) {
  return sizeof(int64_t) * (MostBands + 1) * MostBands + scratchBytesV7(Pixels);
}

void addSplitProducts(const SplitPlanes &Of, int64_t *Products,
                      int64_t *OfBands, int Bands, int Pixels, void *Scratch) {
  auto *OfRows = static_cast<int64_t *>(Scratch);
  int64_t *RowSums = OfRows + MostBands * MostBands;
  for (const Round &Each : Rounds) {
    RowsV7 Rows = {};
    for (int I = 0; I < 2; ++I) {
      int First = Each.Of[I].SecondHalf ? HalfBands : 0;
      Rows.Sets[I] =
          (Each.Of[I].High ? Of.High : Of.Low) + size_t(First) * Of.BytesPitch;
      Rows.Counts[I] = min(max(Bands - First, 0), HalfBands);
    }
    if (Rows.Counts[0] == 0 || Rows.Counts[1] == 0)
      continue;
    cudaMemsetAsync(OfRows, 0, sizeof(int64_t) * (MostBands + 1) * MostBands);
    addProductsOfRowsV7(Rows, OfRows, RowSums, Pixels, Of.BytesPitch,
                        RowSums + MostBands);
    addRound<<<MostBands, MostBands>>>(OfRows, RowSums, Each, Products, OfBands,
                                       Bands);
  }
}

/// A block takes some of the listed pixels at a time. Rare, so it is short and
/// not fast.
__global__ void correctListedPixels(const uint16_t *Image, const int *Wide,
                                    int64_t *Products, int64_t *OfBands,
                                    int Samples, int Pixels, int Bands,
                                    int Pitch) {
  constexpr int AtOnce = 32;
  __shared__ int Noise[AtOnce][MostBands];
  const int *Listed = Wide + 1 + Pixels;
  const auto Add = [](int64_t *To, int64_t Of) {
    atomicAdd(reinterpret_cast<unsigned long long *>(To),
              static_cast<unsigned long long>(Of));
  };
  for (int First = blockIdx.x * AtOnce; First < *Wide;
       First += gridDim.x * AtOnce) {
    int Count = min(AtOnce, *Wide - First);
    __syncthreads();
    for (int I = threadIdx.x; I < Count * Bands; I += Threads) {
      int Pixel = Listed[First + I / Bands];
      Noise[I / Bands][I % Bands] = noiseAt(
          Image + size_t(I % Bands) * Pitch + Pixel, Pixel % Samples, Samples);
    }
    __syncthreads();
    for (int Pair = threadIdx.x; Pair < Bands * Bands; Pair += Threads) {
      int Row = Pair / Bands, Column = Pair % Bands;
      if (Row > Column)
        continue;
      int64_t OfPair = 0, OfBand = 0;
      for (int I = 0; I < Count; ++I) {
        int A = Noise[I][Row], B = Noise[I][Column];
        OfPair += int64_t(A) * B - int64_t(A & 0xffff) * (B & 0xffff);
        OfBand += A - (A & 0xffff);
      }
      Add(&Products[Pair], OfPair);
      if (Row == Column)
        Add(&OfBands[Row], OfBand);
    }
  }
}

void correctSplitNoise(const uint16_t *Image, const int *Wide,
                       int64_t *Products, int64_t *OfBands, int Samples,
                       int Lines, int Bands, int Pitch) {
  correctListedPixels<<<264, Threads>>>(Image, Wide, Products, OfBands, Samples,
                                        Samples * Lines, Bands, Pitch);
}

} // namespace mnf

//===- V5.cu - Sixteen samples a thread, signed bytes ---------------------===//
//
// Beyond the paper. V4 writes 16 bits a sample and is bound by one pipe, that
// of comparisons and byte permutations. Here two lines share what they read,
// half of the arithmetic is on another pipe, and noise is written as the bytes
// that tensor cores multiply. What does not fit one is listed, and corrected in
// the covariance.
//
//===----------------------------------------------------------------------===//

#include "NoiseBytes.cuh"
#include "NoiseFilter.h"

namespace mnf {

constexpr int Threads = 256;

/// Bands of a thread: where its tile is costs as much as to filter it. Sixteen
/// times as many blocks as the image has parts leave few that run alone at the
/// end.
constexpr int BandsOfThread = 14;

template <bool AtEdge>
__device__ static uint32_t
filterBands(const uint8_t *Image, int8_t *Noise, const NoiseTiles &Of, int Line,
            int Column, int Count, int Pitch, int NoisePitch) {
  TileFilter<AtEdge> By(Of, Line, Column);
  uint32_t TooLarge = 0;
  By.load(Image);
#pragma unroll 1
  for (int Band = 0; Band < Count; ++Band) {
    By.take();
    // The words of the next band are on their way while this one is filtered.
    // The last band's are loaded twice: in a branch, the loads would come last.
    Image += Band + 1 < Count ? Pitch : 0;
    By.load(Image);
    *reinterpret_cast<uint4 *>(Noise) = By.noise(TooLarge);
    Noise += NoisePitch;
  }
  return TooLarge;
}

__global__ void __launch_bounds__(Threads, 4)
    filterNoiseOfTiles(const uint8_t *Image, int8_t *Noise, WideChunks *Wide,
                       NoiseTiles Of, int Bands, int Pitch, int NoisePitch) {
  int Tile = blockIdx.x * Threads + threadIdx.x;
  if (Tile >= Of.count())
    return;
  int Line = Tile / Of.ofLine();
  int Column = (Tile - Line * Of.ofLine()) * tile::Wide;
  Line *= tile::High;
  int First = blockIdx.y * BandsOfThread;
  int Count = min(BandsOfThread, Bands - First);
  Image += size_t(First) * Pitch;
  Noise += size_t(First) * NoisePitch + PixelsOfTile * Tile;
  uint32_t TooLarge = __any_sync(__activemask(), Of.areAtEdge(Line, Column))
                          ? filterBands<true>(Image, Noise, Of, Line, Column,
                                              Count, Pitch, NoisePitch)
                          : filterBands<false>(Image, Noise, Of, Line, Column,
                                               Count, Pitch, NoisePitch);
  if (TooLarge & 0xff00ff00u)
    Wide->add(Tile / TilesOfChunk, Of);
}

size_t wideBytes(int Samples, int Lines) {
  return sizeof(int) * (1 + 2 * NoiseTiles{Samples, Lines}.chunks());
}

int noisePixels(int Samples, int Lines) {
  return PixelsOfTile * NoiseTiles{Samples, Lines}.count();
}

void filterNoiseV5(const uint8_t *Image, int8_t *Noise, WideChunks *Wide,
                   int Samples, int Lines, int Bands, int Pitch,
                   int NoisePitch) {
  NoiseTiles Of = {Samples, Lines};
  cudaMemsetAsync(Wide, 0, wideBytes(Samples, Lines));
  dim3 Grid((Of.count() + Threads - 1) / Threads,
            (Bands + BandsOfThread - 1) / BandsOfThread);
  filterNoiseOfTiles<<<Grid, Threads>>>(Image, Noise, Wide, Of, Bands, Pitch,
                                        NoisePitch);
}

/// A block takes a listed chunk and 32 x 32 pairs of bands. Rare, so it is
/// short and not fast.
__global__ void correctListedChunks(const uint8_t *Image,
                                    const WideChunks *Wide, int64_t *Products,
                                    int64_t *OfBands, NoiseTiles Of, int Bands,
                                    int Pitch) {
  // What the noise is, and what was written of it.
  struct Pair {
    int16_t Noise, Byte;
  };
  __shared__ Pair Left[32][PixelsOfChunk + 1], Right[32][PixelsOfChunk + 1];
  int FirstRow = blockIdx.y * 32, FirstColumn = blockIdx.x * 32;
  if (FirstColumn < FirstRow)
    return;
  int Count = Wide->Count;
  for (int Item = blockIdx.z; Item < Count; Item += gridDim.z) {
    int Pixel = threadIdx.x % PixelsOfChunk;
    int Tile = Wide->which(Of)[Item] * TilesOfChunk + Pixel / PixelsOfTile;
    int Line =
        Tile / Of.ofLine() * tile::High + Pixel % PixelsOfTile / tile::Wide;
    int Column = Tile % Of.ofLine() * tile::Wide + Pixel % tile::Wide;
    bool Inside = Line < Of.Lines && Column < Of.Samples;
    int Beside[] = {max(Column - 1, 0), Column,
                    min(Column + 1, Of.Samples - 1)};
    const auto NoiseOf = [&](int Band) {
      SortedColumn Sorted[3];
      const uint8_t *Here = Image + int64_t(Band) * Pitch + Line * Of.Samples;
#pragma unroll
      for (int I = 0; I < 3; ++I)
        Sorted[I] = sortColumn(Here[Beside[I] - Of.Samples], Here[Beside[I]],
                               Here[Beside[I] + Of.Samples]);
      int Noise = Here[Column] - medianOf(Sorted[0], Sorted[1], Sorted[2]);
      return Pair{int16_t(Noise), tile::byteOf(Noise)};
    };
    const auto Fill = [&](Pair(*To)[PixelsOfChunk + 1], int FirstBand) {
      for (int Row = threadIdx.x / PixelsOfChunk; Row < 32;
           Row += blockDim.x / PixelsOfChunk)
        To[Row][Pixel] = Inside && FirstBand + Row < Bands
                             ? NoiseOf(FirstBand + Row)
                             : Pair{0, 0};
    };
    __syncthreads();
    Fill(Left, FirstRow);
    Fill(Right, FirstColumn);
    __syncthreads();
    for (int At = threadIdx.x; At < 32 * 32; At += blockDim.x) {
      int Row = FirstRow + At / 32, Column = FirstColumn + At % 32;
      if (Row > Column || Column >= Bands)
        continue;
      int Sum = 0, OfBand = 0; // 128 * 2 * 255^2 < 2^31
      for (int K = 0; K < PixelsOfChunk; ++K) {
        Pair A = Left[At / 32][K], B = Right[At % 32][K];
        Sum += A.Noise * B.Noise - A.Byte * B.Byte;
        OfBand += A.Noise - A.Byte;
      }
      const auto Add = [](int64_t *To, int Of) {
        atomicAdd(reinterpret_cast<unsigned long long *>(To),
                  static_cast<unsigned long long>(int64_t(Of)));
      };
      Add(&Products[Row * Bands + Column], Sum);
      if (Row == Column)
        Add(&OfBands[Row], OfBand);
    }
  }
}

void correctProducts(const uint8_t *Image, const WideChunks *Wide,
                     int64_t *Products, int64_t *OfBands, int Samples,
                     int Lines, int Bands, int Pitch) {
  dim3 Grid((Bands + 31) / 32, (Bands + 31) / 32, 16);
  correctListedChunks<<<Grid, 256>>>(Image, Wide, Products, OfBands,
                                     {Samples, Lines}, Bands, Pitch);
}

} // namespace mnf

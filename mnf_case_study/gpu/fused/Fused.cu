//===- Fused.cu - Noise and its covariance in one pass --------------------===//
//
// Beyond the paper. Noise has 16 bits: written by one kernel and read by the
// next it is four times the traffic of the image. Here a block computes the
// noise of a chunk of all bands into shared memory, where the tensor cores take
// it.
//
// The noise of bytes has nine bits, the tensor cores eight. Noise that is worth
// its name is small, so chunks are tried with eight; one with a difference that
// does not fit is put on a list, and a second kernel adds it with plain
// integers. Both are exact.
//
//===----------------------------------------------------------------------===//

#include "../covariance/Warpgroups.cuh"
#include "../noise_filter/PackedMedian.cuh"
#include "Fused.h"

namespace mnf {

using namespace warpgroups;

/// Half a warp computes the noise of a chunk of one band.
constexpr int LanesOfBand = Chunk / PixelsOfThread;
/// One chunk is multiplied while the next one is filtered.
constexpr int SharedBytes = 2 * ChunkBytes + SlackBytes;

/// The chunks that are left to the second kernel.
struct WideChunks {
  int Count;
  int Which[1]; ///< As many as there are chunks.
};

/// What a block filters: the same for all threads and chunks.
struct Source {
  const uint8_t *Image;
  int Samples, Pixels, Bands, Pitch;
};

/// Computes the noise of this thread's bands; true if some of it is no signed
/// byte.
__device__ static bool filterChunk(const Source &Of, int First, uint8_t *To) {
  const auto [Image, Samples, Pixels, Bands, Pitch] = Of;
  int Lane = threadIdx.x % LanesOfBand;
  int Pixel = First + PixelsOfThread * Lane;
  int Column = Pixel % Samples;
  bool AtEdge = __any_sync(~0u, touchesEdge(Column, Samples));
  // Bytes of the last chunk that are behind the last pixel.
  int Rest = min(max(Pixels - Pixel, 0), PixelsOfThread);
  uint64_t Inside = Rest == PixelsOfThread ? ~0ull : (1ull << (8 * Rest)) - 1;
  uint32_t TooLarge = 0;
  // The words of the next band are on their way while this one is filtered.
  constexpr int NextBand = Threads / LanesOfBand;
  int Band = threadIdx.x / LanesOfBand;
  const uint8_t *Next = Image + size_t(Band) * Pitch + Pixel;
  Window Ahead = {};
  if (Band < Bands && Rest > 0)
    Ahead = loadWindow(Next, Samples);
#pragma unroll 1
  for (; Band < MostBands; Band += NextBand) {
    uint64_t Noise = 0;
    Window Here = Ahead;
    const uint8_t *At = Next;
    Next += size_t(NextBand) * Pitch;
    if (Band + NextBand < Bands && Rest > 0)
      Ahead = loadWindow(Next, Samples);
    if (Band < Bands && Rest > 0) {
      uint32_t Sample[4], Median[4], Biased[4];
      if (AtEdge)
        mediansOfEight<true>(Here, At, Samples, Column, Sample, Median);
      else
        mediansOfEight<false>(Here, At, Samples, Column, Sample, Median);
      // Plus 128 a signed byte is not negative and has one byte. What is
      // negative borrows from the other half, but then the chunk is not added
      // here anyway.
#pragma unroll
      for (int I = 0; I < 4; ++I)
        Biased[I] = Sample[I] + 0x00800080u - Median[I];
      uint32_t Low = __byte_perm(Biased[0], Biased[1], 0x6420);
      uint32_t High = __byte_perm(Biased[2], Biased[3], 0x6420);
      Noise =
          (uint64_t(High ^ 0x80808080u) << 32 | (Low ^ 0x80808080u)) & Inside;
      // What lies behind the last pixel is no noise, whatever its size.
      if (Rest == PixelsOfThread)
        TooLarge |= Biased[0] | Biased[1] | Biased[2] | Biased[3];
      else
#pragma unroll
        for (int I = 0; I < PixelsOfThread; ++I)
          if (I < Rest)
            TooLarge |= Biased[I / 2] >> (16 * (I % 2)) & 0xffffu;
    }
    *reinterpret_cast<uint64_t *>(To + placeOf(Band, Lane / 2) + Lane % 2 * 8) =
        Noise;
  }
  return (TooLarge & 0xff00ff00u) != 0;
}

__global__ void __launch_bounds__(Threads, 1)
    addNarrowNoise(Source Of, int *Partial, int Chunks, WideChunks *Wide) {
  extern __shared__ __align__(1024) uint8_t Buffers[];
  Accumulator<int8_t> Sums;
  bool IsWide = false;
  int Stage = 0, Step = gridDim.x;
  if (blockIdx.x < Chunks)
    IsWide = filterChunk(Of, blockIdx.x * Chunk, Buffers);
  for (int At = blockIdx.x; At < Chunks; At += gridDim.x) {
    publish();
    // Behind this barrier the chunk is whole, and the place of the one before,
    // for which all have waited, is free.
    bool Skip = __syncthreads_or(IsWide);
    const uint8_t *Here = Buffers + Stage * ChunkBytes;
    if (!Skip) {
      Sums.start(Here);
      Sums.addBands(Here);
    } else if (threadIdx.x == 0) {
      Wide->Which[atomicAdd(&Wide->Count, 1)] = At;
    }
    Stage ^= 1;
    // The tensor cores multiply this chunk while the warps filter the next one.
    if (int Next = At + Step; Next < Chunks)
      IsWide = filterChunk(Of, Next * Chunk, Buffers + Stage * ChunkBytes);
    waitForProducts<0>();
  }
  Sums.store(Partial);
}

/// A block takes a listed chunk and 32 x 32 pairs of bands. Rare, so it is
/// short and not fast.
__global__ void addWideNoise(const uint8_t *Image, int64_t *Products,
                             int64_t *OfBands, int Samples, int Pixels,
                             int Bands, int Pitch, const WideChunks *Wide) {
  __shared__ int16_t Left[32][Chunk + 2], Right[32][Chunk + 2];
  int FirstRow = blockIdx.y * 32, FirstColumn = blockIdx.x * 32;
  if (FirstColumn < FirstRow)
    return;
  int Count = Wide->Count;
  for (int Item = blockIdx.z; Item < Count; Item += gridDim.z) {
    int First = Wide->Which[Item] * Chunk;
    int Lane = threadIdx.x % LanesOfBand;
    int Pixel = First + PixelsOfThread * Lane;
    const auto Fill = [&](int16_t(*To)[Chunk + 2], int FirstBand) {
      for (int Row = threadIdx.x / LanesOfBand; Row < 32;
           Row += blockDim.x / LanesOfBand) {
        uint32_t Sample[4] = {}, Median[4] = {};
        if (FirstBand + Row < Bands && Pixel < Pixels) {
          const uint8_t *At = Image + size_t(FirstBand + Row) * Pitch + Pixel;
          mediansOfEight<true>(loadWindow(At, Samples), At, Samples,
                               Pixel % Samples, Sample, Median);
        }
        for (int I = 0; I < PixelsOfThread; ++I) {
          int Shift = 16 * (I % 2);
          int Noise = int(Sample[I / 2] >> Shift & 0xffff) -
                      int(Median[I / 2] >> Shift & 0xffff);
          To[Row][PixelsOfThread * Lane + I] = Pixel + I < Pixels ? Noise : 0;
        }
      }
    };
    __syncthreads();
    Fill(Left, FirstRow);
    Fill(Right, FirstColumn);
    __syncthreads();
    for (int Pair = threadIdx.x; Pair < 32 * 32; Pair += blockDim.x) {
      int Row = Pair / 32, Column = Pair % 32;
      if (FirstRow + Row > FirstColumn + Column ||
          FirstColumn + Column >= Bands)
        continue;
      int Sum = 0, OfBand = 0; // 128 * 255^2 < 2^31
      for (int K = 0; K < Chunk; ++K) {
        Sum += Left[Row][K] * Right[Column][K];
        OfBand += Left[Row][K];
      }
      atomicAdd(reinterpret_cast<unsigned long long *>(
                    &Products[(FirstRow + Row) * Bands + FirstColumn + Column]),
                static_cast<unsigned long long>(int64_t(Sum)));
      if (FirstRow + Row == FirstColumn + Column)
        atomicAdd(
            reinterpret_cast<unsigned long long *>(&OfBands[FirstRow + Row]),
            static_cast<unsigned long long>(int64_t(OfBand)));
    }
  }
}

size_t noiseScratchBytes(int Pixels) {
  int Chunks = (Pixels + Chunk - 1) / Chunk;
  return partialBytes(Chunks) + sizeof(int) * (1 + Chunks);
}

void addNoiseProducts(const uint8_t *Image, int64_t *Products, int64_t *OfBands,
                      int Samples, int Lines, int Bands, int Pitch,
                      void *Scratch) {
  int Pixels = Samples * Lines;
  int Chunks = (Pixels + Chunk - 1) / Chunk, Blocks = blocksFor(Chunks);
  auto *Partial = static_cast<int *>(Scratch);
  auto *Wide = reinterpret_cast<WideChunks *>(static_cast<char *>(Scratch) +
                                              partialBytes(Chunks));
  cudaFuncSetAttribute(
      addNarrowNoise, cudaFuncAttributeMaxDynamicSharedMemorySize, SharedBytes);
  cudaMemsetAsync(&Wide->Count, 0, sizeof(int));
  Source Of = {Image, Samples, Pixels, Bands, Pitch};
  addNarrowNoise<<<Blocks, Threads, SharedBytes>>>(Of, Partial, Chunks, Wide);
  addPartials<int8_t>(Partial, Blocks, Products, OfBands, Bands);
  dim3 Grid((Bands + 31) / 32, (Bands + 31) / 32, 16);
  addWideNoise<<<Grid, 256>>>(Image, Products, OfBands, Samples, Pixels, Bands,
                              Pitch, Wide);
}

} // namespace mnf

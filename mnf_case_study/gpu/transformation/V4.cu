//===- V4.cu - Weights of 24 bits on tensor cores -------------------------===//
//
// Beyond the paper. V3 is bound by multiplications of floats. Tensor cores
// multiply bytes 60 times as fast and exactly, so a weight becomes a whole
// number of 24 bits, in parts of the largest weight of its component, and that
// three signed digits of a byte. What rounding costs is what it costs a float;
// the sums are exact.
//
// The instruction is m16n8k32: 16 rows of digits, 8 pixels, 32 bands. A lane
// (Row = lane / 4, Quarter = lane % 4) brings four neighbouring bands of one
// pixel in a word; memory has four neighbouring pixels of one band in it. So a
// lane loads words of four bands and transposes them, and has four pixels for
// four instructions. Which pixels those are is chosen so that stores are whole
// lines. What is left is memory: copies run two groups of pixels ahead.
//
//===----------------------------------------------------------------------===//

#include "../AsyncCopy.cuh"
#include "DigitSums.cuh"
#include "Transformation.h"

namespace mnf {

using namespace digitsums;

constexpr int Threads = 256, Warps = Threads / 32;
/// Pixels of a block, and how many times as many are in shared memory.
constexpr int PixelsOfBlock = Warps * PixelsOfWarp, Stages = 3;
constexpr int StageBytes = MostBands * PixelsOfBlock;
constexpr int SharedBytes = Stages * StageBytes;

struct Digit {
  int Component, Place;
};

/// What a row of digits is: eight components' high, middle and low ones, eight
/// components' more, and the last four components' high and middle and, in the
/// last rows, low ones. -1: nothing.
__host__ __device__ constexpr Digit digitOf(int Row) {
  int Slot = Row / 8, Lane = Row % 8;
  if (Slot < 6)
    return {Slot / 3 * 8 + Lane, 2 - Slot % 3};
  if (Slot == 6)
    return {16 + Lane % 4, Lane < 4 ? 2 : 1};
  return {Lane < 4 ? 16 + Lane : -1, 0};
}

/// One of the three digits of a number.
__device__ static int digitAt(int Weight, int Place) {
  int Low = int8_t(Weight), Rest = (Weight - Low) >> 8;
  int Middle = int8_t(Rest);
  return Place == 0 ? Low : Place == 1 ? Middle : (Rest - Middle) >> 8;
}

/// Where a pixel of a band is in a stage. Lanes read the same word of bands
/// that are four apart, which have to be in different banks.
__device__ static int placeOf(int Band, int Pixel) {
  return Band * PixelsOfBlock + (Pixel ^ (Band / 4 % 4 * PixelsOfWarp));
}

/// Starts the copies of a block's pixels of all bands; what is not of the image
/// becomes zero.
__device__ static void copyPixels(const uint8_t *Image, int Bands, int First,
                                  int Pixels, int Pitch, uint8_t *To) {
  constexpr int Pieces = PixelsOfBlock / 16;
  constexpr int NextBand = Threads / Pieces;
  int At = threadIdx.x % Pieces * 16;
#pragma unroll
  for (int I = 0; I < MostBands / NextBand; ++I) {
    int Band = I * NextBand + int(threadIdx.x) / Pieces;
    int There = Band < Bands ? min(max(Pixels - First - At, 0), 16) : 0;
    // An address that exists, even where nothing is read.
    const uint8_t *From =
        Image + (There > 0 ? int64_t(Band) * Pitch + First + At : 0);
    copyAsync(To + placeOf(Band, At), From, There);
  }
}

__global__ void __launch_bounds__(Threads, 1)
    transformByDigits(const uint8_t *Image, const float *Weights, float *Result,
                      int Bands, int Components, int Pixels, int Pitch,
                      int ResultPitch) {
  extern __shared__ __align__(128) uint8_t Buffers[];
  // As the lanes want them: 16 bytes of each for a step and a tile.
  __shared__ uint4 Digits[Steps][Tiles][32];
  __shared__ int Whole[MostBands][Group];
  __shared__ unsigned Largest[Group];
  int First = blockIdx.y * Group, Lane = threadIdx.x % 32;
  int Warp = threadIdx.x / 32;
  int Step = gridDim.x * PixelsOfBlock, Next = blockIdx.x * PixelsOfBlock;
  const auto Start = [&](int Stage) {
    if (Next < Pixels)
      copyPixels(Image, Bands, Next, Pixels, Pitch,
                 Buffers + Stage * StageBytes);
    Next += Step;
    commitCopies();
  };
  for (int Stage = 0; Stage < Stages - 1; ++Stage)
    Start(Stage);

  // All weights of a thread are on their way before the first is looked at.
  constexpr int OfThread = MostBands * Group / Threads + 1;
  float OfMine[OfThread];
#pragma unroll
  for (int I = 0; I < OfThread; ++I) {
    int At = I * Threads + int(threadIdx.x);
    int Band = At / Group, Component = First + At % Group;
    OfMine[I] = Band < Bands && Component < Components
                    ? Weights[Band * Components + Component]
                    : 0;
  }
  if (threadIdx.x < Group)
    Largest[threadIdx.x] = 0;
  __syncthreads();
#pragma unroll
  for (int I = 0; I < OfThread; ++I)
    atomicMax(&Largest[(I * Threads + threadIdx.x) % Group],
              __float_as_uint(fabsf(OfMine[I])));
  __syncthreads();
#pragma unroll
  for (int I = 0; I < OfThread; ++I)
    if (int At = I * Threads + int(threadIdx.x); At < MostBands * Group) {
      float Most = __uint_as_float(Largest[At % Group]);
      Whole[At / Group][At % Group] =
          Most > 0 ? __float2int_rn(OfMine[I] / Most * LargestWeight) : 0;
    }
  __syncthreads();
  for (int I = threadIdx.x; I < Steps * Tiles * 32 * 16; I += Threads) {
    int Byte = I % 16, Of = I / 16 % 32, Tile = I / 512 % Tiles;
    int OfStep = I / 512 / Tiles;
    Digit Which = digitOf(16 * Tile + Of / 4 + 8 * (Byte / 4 % 2));
    int Band = 32 * OfStep + 16 * (Byte / 8) + 4 * (Of % 4) + Byte % 4;
    reinterpret_cast<int8_t *>(Digits)[I] =
        Which.Component < 0
            ? 0
            : int8_t(digitAt(Whole[Band][Which.Component], Which.Place));
  }
  __syncthreads();

  // Lane pairs of a store have neighbouring words, so the words of lanes that
  // follow each other in an instruction are half of the pixels apart.
  int Row = Lane / 4, Quarter = Lane % 4;
  int Word = 4 * (Row / 2 + 4 * (Row % 2));
  int Stage = 0;
  for (int OfBlock = blockIdx.x * PixelsOfBlock; OfBlock < Pixels;
       OfBlock += Step) {
    waitForCopies<Stages - 2>();
    // All copies are there, and all have read what the next ones go to.
    __syncthreads();
    Start(Stage == 0 ? Stages - 1 : Stage - 1);
    const uint8_t *Here = Buffers + Stage * StageBytes;
    Stage = Stage + 1 == Stages ? 0 : Stage + 1;
    int Pixel = OfBlock + Warp * PixelsOfWarp;
    if (Pixel >= Pixels)
      continue;
    int Sums[Tiles][4][4] = {};
#pragma unroll
    for (int I = 0; I < Steps; ++I) {
      uint32_t Low[4], High[4];
#pragma unroll
      for (int J = 0; J < 4; ++J) {
        int Band = 32 * I + 4 * Quarter + J;
        const uint8_t *OfBand =
            Here + placeOf(Band, Warp * PixelsOfWarp + Word);
        Low[J] = *reinterpret_cast<const uint32_t *>(OfBand);
        High[J] =
            *reinterpret_cast<const uint32_t *>(OfBand + 16 * PixelsOfBlock);
      }
      transpose(Low);
      transpose(High);
#pragma unroll
      for (int Tile = 0; Tile < Tiles; ++Tile) {
        uint4 By = Digits[I][Tile][Lane];
#pragma unroll
        for (int J = 0; J < 4; ++J)
          multiply(Sums[Tile][J], By, Low[J], High[J]);
      }
    }
    // A lane has, of each of its eight rows, eight pixels: of word Quarter the
    // bytes J, and of word Quarter + 4.
    int OfRow[8][8];
#pragma unroll
    for (int Slot = 0; Slot < 8; ++Slot)
#pragma unroll
      for (int J = 0; J < 4; ++J) {
        OfRow[Slot][J] = Sums[Slot / 2][J][Slot % 2 * 2];
        OfRow[Slot][4 + J] = Sums[Slot / 2][J][Slot % 2 * 2 + 1];
      }
    float *To = Result + size_t(First) * ResultPitch + Pixel + 4 * Quarter;
    const auto Store = [&](int Component, const int(&High)[8],
                           const int(&Middle)[8], const int(&Low)[8]) {
      if (First + Component < Components)
        // The pitch leaves room for what is behind the last pixel.
        store(To + size_t(Component) * ResultPitch, High, Middle, Low,
              __uint_as_float(Largest[Component]) / LargestWeight);
    };
    Store(Row, OfRow[0], OfRow[1], OfRow[2]);
    Store(8 + Row, OfRow[3], OfRow[4], OfRow[5]);
    int Middle[8];
#pragma unroll
    for (int I = 0; I < 8; ++I)
      Middle[I] = __shfl_down_sync(~0u, OfRow[6][I], 16);
    if (Row < 4)
      Store(16 + Row, OfRow[6], Middle, OfRow[7]);
  }
}

void transformV4(const uint8_t *Image, const float *Weights, float *Result,
                 int Bands, int Components, int Pixels, int Pitch,
                 int ResultPitch) {
  int Device = 0, Blocks = 0;
  cudaGetDevice(&Device);
  cudaDeviceGetAttribute(&Blocks, cudaDevAttrMultiProcessorCount, Device);
  cudaFuncSetAttribute(transformByDigits,
                       cudaFuncAttributeMaxDynamicSharedMemorySize,
                       SharedBytes);
  dim3 Grid(Blocks, (Components + Group - 1) / Group);
  transformByDigits<<<Grid, Threads, SharedBytes>>>(
      Image, Weights, Result, Bands, Components, Pixels, Pitch, ResultPitch);
}

} // namespace mnf

//===- V5.cu - Pixels that the copy engine brings -------------------------===//
//
// Beyond the paper. V4 is near the memory floor on large images, but takes 14
// us more for each one: most of that is the preparation of the weights in every
// block, by way of shared memory and with a division for each byte, and groups
// of pixels so large that the first and the last are not overlapped. Here a
// thread keeps the weights it loads in registers until they are digits; the
// copy engine brings six smaller groups ahead; and half of the warps multiply
// one while the others multiply the next.
//
//===----------------------------------------------------------------------===//

#include "../BulkCopy.cuh"
#include "DigitSums.cuh"
#include "Transformation.h"

namespace mnf {

using namespace digitsums;

/// Four warps multiply a chunk of pixels; a warp more asks for copies.
constexpr int Teams = 2, WarpsOfTeam = 4;
constexpr int Multipliers = Teams * WarpsOfTeam * 32;
constexpr int Threads = Multipliers + 32;
constexpr int Chunk = WarpsOfTeam * PixelsOfWarp;
/// Chunks in shared memory. A place is always of the same team, which so waits
/// for each of its phases.
constexpr int Stages = 6;
static_assert(Stages % Teams == 0);
constexpr int StageBytes = MostBands * Chunk;
constexpr int SharedBytes = Stages * StageBytes;
static_assert(Chunk == PixelsOfBox);

/// The row of a component's high (2), middle (1) or low (0) digit: eight
/// components' high, middle and low ones, eight components' more, and the last
/// four components' high and middle and, in the last rows, low ones.
__device__ static int rowOf(int Component, int Place) {
  return Component < 16 ? (Component / 8 * 3 + 2 - Place) * 8 + Component % 8
                        : 48 + (2 - Place) * 4 + Component - 16;
}

/// Where the digit of a row and a band is in the table: lanes take 16 bytes
/// each for a step and a tile, of which a word has four bands. Which bands
/// those are is chosen so that lanes read different banks: the rows of bands
/// that are two apart have their pieces exchanged differently.
__device__ static int placeOf(int Row, int Band) {
  int Step = Band / 32, High = Band / 16 % 2;
  int Lane = Row % 8 * 4 + Band / 2 % 4;
  int Byte = 8 * High + Row / 8 % 2 * 4 + Band / 8 % 2 * 2 + Band % 2;
  return ((Step * Tiles + Row / 16) * 32 + Lane) * 16 + Byte;
}

/// The low digit of a number, which is taken off it.
__device__ static int8_t takeDigit(int &Weight) {
  auto Low = int8_t(Weight);
  Weight = (Weight - Low) >> 8;
  return Low;
}

/// What the threads that multiply make of the weights.
struct DigitTable {
  uint4 Of[Steps][Tiles][32];
  unsigned Largest[Group];
};

__device__ static void waitForMultipliers() {
  asm volatile("bar.sync 1, %0;" ::"n"(Multipliers) : "memory");
}

__device__ static void makeDigits(DigitTable &Table, const float *Weights,
                                  int Bands, int First, int Components) {
  // A thread has a component of every Apart-th band.
  constexpr int Apart = Multipliers / Group;
  constexpr int OfThread = (MostBands + Apart - 1) / Apart;
  int Component = threadIdx.x % Group, Begin = threadIdx.x / Group;
  float Mine[OfThread];
  float Most = 0;
#pragma unroll
  for (int I = 0; I < OfThread; ++I) {
    int Band = Begin + I * Apart;
    Mine[I] = Begin < Apart && Band < Bands && First + Component < Components
                  ? Weights[Band * Components + First + Component]
                  : 0;
    Most = fmaxf(Most, fabsf(Mine[I]));
  }
  for (int I = threadIdx.x; I < Steps * Tiles * 32; I += Multipliers)
    (&Table.Of[0][0][0])[I] = uint4{};
  if (threadIdx.x < Group)
    Table.Largest[threadIdx.x] = 0;
  waitForMultipliers();
  atomicMax(&Table.Largest[Component], __float_as_uint(Most));
  waitForMultipliers();
  Most = __uint_as_float(Table.Largest[Component]);
  auto *Bytes = reinterpret_cast<int8_t *>(Table.Of);
  if (Begin < Apart)
#pragma unroll
    for (int I = 0; I < OfThread; ++I)
      if (int Band = Begin + I * Apart; Band < MostBands) {
        int Whole =
            Most > 0 ? __float2int_rn(Mine[I] / Most * LargestWeight) : 0;
#pragma unroll
        for (int Place = 0; Place < 3; ++Place)
          Bytes[placeOf(rowOf(Component, Place), Band)] = takeDigit(Whole);
      }
  waitForMultipliers();
}

__global__ void __launch_bounds__(Threads, 1)
    transformChunks(const __grid_constant__ TensorMap Image,
                    const float *Weights, float *Result, int Bands,
                    int Components, int Pixels, int ResultPitch) {
  extern __shared__ __align__(1024) uint8_t Buffers[];
  __shared__ DigitTable Table;
  __shared__ Barrier Full[Stages], Free[Stages];
  int First = blockIdx.y * Group;
  int Chunks = (Pixels + Chunk - 1) / Chunk;
  if (threadIdx.x == 0) {
    for (int I = 0; I < Stages; ++I) {
      Full[I].start(1);
      Free[I].start(WarpsOfTeam);
    }
    publishBarriers();
  }
  __syncthreads();
  if (threadIdx.x >= Multipliers) {
    if (threadIdx.x > Multipliers)
      return;
    int Stage = 0, Parity = 1;
    for (int At = blockIdx.x; At < Chunks; At += gridDim.x) {
      Free[Stage].wait(Parity);
      Full[Stage].arriveWith(StageBytes);
      copyBox(Buffers + Stage * StageBytes, Image, At * Chunk, 0, Full[Stage]);
      if (++Stage == Stages) {
        Stage = 0;
        Parity ^= 1;
      }
    }
    return;
  }
  makeDigits(Table, Weights, Bands, First, Components);

  int Lane = threadIdx.x % 32, Warp = threadIdx.x / 32;
  int Team = Warp / WarpsOfTeam, OfTeam = Warp % WarpsOfTeam;
  // Lane pairs of a store have neighbouring words, so the words of lanes that
  // follow each other in an instruction are half of the pixels apart.
  int Row = Lane / 4, Quarter = Lane % 4;
  int Pixel = OfTeam * PixelsOfWarp + 4 * (Row / 2 + 4 * (Row % 2));
  // Where those are in rows of even and of odd bands.
  int OfEven = (Pixel ^ (2 * Quarter) << 4) + 2 * Quarter * Chunk;
  int OfOdd = (Pixel ^ (2 * Quarter + 1) << 4) + (2 * Quarter + 1) * Chunk;
  const auto ScaleOf = [&](int Component) {
    return __uint_as_float(Table.Largest[Component]) / LargestWeight;
  };
  float Scales[3] = {ScaleOf(Row), ScaleOf(8 + Row), ScaleOf(16 + Row % 4)};
  int Stage = Team, Parity = 0;
  for (int At = blockIdx.x + Team * gridDim.x; At < Chunks;
       At += Teams * gridDim.x) {
    Full[Stage].wait(Parity);
    const uint8_t *Here = Buffers + Stage * StageBytes;
    int Sums[Tiles][4][4] = {};
#pragma unroll
    for (int I = 0; I < Steps; ++I) {
      uint32_t Low[4], High[4];
#pragma unroll
      for (int J = 0; J < 4; ++J) {
        const uint8_t *OfBand =
            Here + (32 * I + J / 2 * 8) * Chunk + (J % 2 ? OfOdd : OfEven);
        Low[J] = *reinterpret_cast<const uint32_t *>(OfBand);
        High[J] = *reinterpret_cast<const uint32_t *>(OfBand + 16 * Chunk);
      }
      transpose(Low);
      transpose(High);
#pragma unroll
      for (int Tile = 0; Tile < Tiles; ++Tile) {
        uint4 By = Table.Of[I][Tile][Lane];
#pragma unroll
        for (int J = 0; J < 4; ++J)
          multiply(Sums[Tile][J], By, Low[J], High[J]);
      }
    }
    __syncwarp();
    if (Lane == 0)
      Free[Stage].arrive();
    Stage += Teams;
    if (Stage >= Stages) {
      Stage -= Stages;
      Parity ^= 1;
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
    float *To = Result + size_t(First) * ResultPitch + At * Chunk +
                OfTeam * PixelsOfWarp + 4 * Quarter;
    const auto Store = [&](int Component, const int(&High)[8],
                           const int(&Middle)[8], const int(&Low)[8],
                           float Scale) {
      if (First + Component < Components)
        // The pitch leaves room for what is behind the last pixel.
        store(To + size_t(Component) * ResultPitch, High, Middle, Low, Scale);
    };
    Store(Row, OfRow[0], OfRow[1], OfRow[2], Scales[0]);
    Store(8 + Row, OfRow[3], OfRow[4], OfRow[5], Scales[1]);
    int Middle[8];
#pragma unroll
    for (int I = 0; I < 8; ++I)
      Middle[I] = __shfl_down_sync(~0u, OfRow[6][I], 16);
    if (Row < 4)
      Store(16 + Row, OfRow[6], Middle, OfRow[7], Scales[2]);
  }
}

void transformV5(const uint8_t *Image, const float *Weights, float *Result,
                 int Bands, int Components, int Pixels, int Pitch,
                 int ResultPitch) {
  int Device = 0, Blocks = 0;
  cudaGetDevice(&Device);
  cudaDeviceGetAttribute(&Blocks, cudaDevAttrMultiProcessorCount, Device);
  cudaFuncSetAttribute(transformChunks,
                       cudaFuncAttributeMaxDynamicSharedMemorySize,
                       SharedBytes);
  dim3 Grid(Blocks, (Components + Group - 1) / Group);
  transformChunks<<<Grid, Threads, SharedBytes>>>(
      mapOf(Image, Bands, Pixels, Pitch, MostBands), Weights, Result, Bands,
      Components, Pixels, ResultPitch);
}

} // namespace mnf

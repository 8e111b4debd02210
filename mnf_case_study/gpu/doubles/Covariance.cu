//===- Covariance.cu - Products of doubles on tensor cores ----------------===//
//
// A block has 64 bands times 64 bands of a chunk of pixels, each of its four
// warps 32 times 32. Samples become doubles on their way to shared memory,
// once for all warps, while the next ones are on their way from global memory.
// Warps whose part lies below the diagonal or behind the last band do nothing
// but bring samples: for 224 bands 28 parts of 64 are multiplied. Blocks store
// what they have, and a second kernel adds it up, always in the same order.
//
//===----------------------------------------------------------------------===//

#include "Doubles.h"

#include <type_traits>

namespace mnf::doubles {

constexpr int Tile = 64, OfWarp = 32, Threads = 128;
/// Pixels that are in shared memory together, two in a slot of 16 bytes.
constexpr int Step = 32, Slots = Step / 2;
/// A row is four slots longer, so that two rows begin in different banks.
constexpr int RowSlots = Slots + 4;
/// A thread brings four pixels of every 16th band.
constexpr int LanesOfRow = Step / 4, RowsAtOnce = Threads / LanesOfRow,
              RowsOfThread = Tile / RowsAtOnce;
/// As many blocks as keep a GPU busy to the end, of few enough pixels that sums
/// of products of 32 bits are whole numbers of 53.
constexpr int EnoughBlocks = 2376, LeastPixels = 512, MostPixels = 1 << 21;

struct alignas(16) PairOfPixels {
  double First, Second;
};

/// Four samples as they are loaded. A double of an integer comes without a
/// conversion, for which there are few units: 2^52 + x has x in its last bits.
template <typename Sample> struct Four;
template <> struct Four<uint8_t> {
  static constexpr double More = 4503599627370496.0;
  uint32_t Word;
  __device__ double of(int I) const {
    return __hiloint2double(0x43300000, int(Word >> 8 * I & 255));
  }
};
template <> struct alignas(8) Four<uint16_t> {
  static constexpr double More = 4503599627370496.0;
  uint32_t Words[2];
  __device__ double of(int I) const {
    return __hiloint2double(0x43300000,
                            int(Words[I / 2] >> 16 * (I % 2) & 65535));
  }
};
template <> struct alignas(16) Four<float> {
  static constexpr double More = 0;
  float Values[4];
  __device__ double of(int I) const { return double(Values[I]); }
};

/// Sum += A * B of 16 x 8 elements and 8 pixels. Which pixel is which does not
/// matter to the sum, so a lane has neighbours.
__device__ static void multiply(double (&Sum)[4], PairOfPixels Row,
                                PairOfPixels EighthRow, PairOfPixels Column) {
  asm("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+d"(Sum[0]), "+d"(Sum[1]), "+d"(Sum[2]), "+d"(Sum[3])
      : "d"(Row.First), "d"(EighthRow.First), "d"(Row.Second),
        "d"(EighthRow.Second), "d"(Column.First), "d"(Column.Second));
}

static int tilesOf(int Bands) { return (Bands + Tile - 1) / Tile; }
static int pairsOf(int Tiles) { return Tiles * (Tiles + 1) / 2; }
static int mostChunks(int Bands, int Pixels) {
  int Enough = EnoughBlocks / pairsOf(tilesOf(Bands));
  int Most = (Pixels + LeastPixels - 1) / LeastPixels;
  int Least = (Pixels + MostPixels - 1) / MostPixels;
  int AtMost = Enough < Most ? Enough : Most;
  return AtMost < Least ? Least : AtMost;
}

/// What of the result a block has. Pairs of tiles are counted along the rows of
/// the upper half.
struct Place {
  int RowTile, ColumnTile;
  __host__ __device__ Place(int Pair, int Tiles) : RowTile(0) {
    while (Pair >= Tiles - RowTile)
      Pair -= Tiles - RowTile++;
    ColumnTile = RowTile + Pair;
  }
};

template <typename Sample>
__global__ void __launch_bounds__(Threads, 3)
    multiplyChunks(const Sample *Data, const float *Pivots, double *Products,
                   double *OfBands, int Bands, int Pixels, int Pitch,
                   int PixelsOfChunk) {
  __shared__ PairOfPixels Shared[2][Tile][RowSlots];
  __shared__ double Less[2][Tile];
  const int Tiles = (Bands + Tile - 1) / Tile;
  const Place Here(blockIdx.x, Tiles);
  const bool OnDiagonal = Here.RowTile == Here.ColumnTile;
  const int FirstBands[2] = {Here.RowTile * Tile, Here.ColumnTile * Tile};
  const int First = blockIdx.y * PixelsOfChunk;
  const int Last = min(First + PixelsOfChunk, Pixels);

  for (int I = threadIdx.x; I < 2 * Tile; I += Threads) {
    int Band = I % Tile + (I < Tile ? FirstBands[0] : FirstBands[1]);
    Less[I / Tile][I % Tile] =
        Four<Sample>::More + (Band < Bands ? Pivots[Band] : 0);
  }

  const int Lane = threadIdx.x % 32, Warp = threadIdx.x / 32;
  const int LaneOfRow = threadIdx.x % LanesOfRow,
            RowOfThread = threadIdx.x / LanesOfRow;
  Four<Sample> Next[2][RowsOfThread];
  const auto Load = [&](int Pixel) {
    Pixel += 4 * LaneOfRow;
#pragma unroll
    for (int Side = 0; Side < 2; ++Side)
#pragma unroll
      for (int I = 0; I < RowsOfThread; ++I) {
        int Band = FirstBands[Side] + RowOfThread + I * RowsAtOnce;
        Next[Side][I] = {};
        if ((Side == 0 || !OnDiagonal) && Band < Bands && Pixel < Last)
          Next[Side][I] = *reinterpret_cast<const Four<Sample> *>(
              Data + size_t(Band) * Pitch + Pixel);
      }
  };
  double BandSums[RowsOfThread] = {};
  const auto Store = [&](int Pixel) {
    Pixel += 4 * LaneOfRow;
#pragma unroll
    for (int Side = 0; Side < 2; ++Side)
#pragma unroll
      for (int I = 0; I < RowsOfThread; ++I)
        if (Side == 0 || !OnDiagonal) {
          int Row = RowOfThread + I * RowsAtOnce;
          double Values[4];
#pragma unroll
          for (int J = 0; J < 4; ++J)
            Values[J] =
                Pixel + J < Last ? Next[Side][I].of(J) - Less[Side][Row] : 0;
          // Lanes of a row are neighbours in shared memory, too.
          Shared[Side][Row][LaneOfRow] = {Values[0], Values[1]};
          Shared[Side][Row][LanesOfRow + LaneOfRow] = {Values[2], Values[3]};
          if (OnDiagonal)
            BandSums[I] += Values[0] + Values[1] + (Values[2] + Values[3]);
        }
  };

  const int RowOfWarp = Warp / 2 * OfWarp, ColumnOfWarp = Warp % 2 * OfWarp;
  const bool Multiplies = FirstBands[0] + RowOfWarp < Bands &&
                          FirstBands[1] + ColumnOfWarp < Bands &&
                          !(OnDiagonal && RowOfWarp > ColumnOfWarp);
  const auto &Rows = Shared[0], &Columns = Shared[OnDiagonal ? 0 : 1];
  double Sums[2][4][4] = {};
  Load(First);
  for (int Pixel = First; Pixel < Last; Pixel += Step) {
    __syncthreads();
    Store(Pixel);
    __syncthreads();
    Load(Pixel + Step);
    if (!Multiplies)
      continue;
#pragma unroll
    for (int Slot = 0; Slot < Slots; Slot += 4) {
      int Mine = Slot + Lane % 4;
      PairOfPixels OfRows[4], OfColumns[4];
#pragma unroll
      for (int I = 0; I < 4; ++I) {
        OfRows[I] = Rows[RowOfWarp + 8 * I + Lane / 4][Mine];
        OfColumns[I] = Columns[ColumnOfWarp + 8 * I + Lane / 4][Mine];
      }
#pragma unroll
      for (int I = 0; I < 2; ++I)
#pragma unroll
        for (int J = 0; J < 4; ++J)
          multiply(Sums[I][J], OfRows[2 * I], OfRows[2 * I + 1], OfColumns[J]);
    }
  }

  double *To =
      Products + (size_t(blockIdx.y) * gridDim.x + blockIdx.x) * Tile * Tile;
  if (Multiplies)
#pragma unroll
    for (int I = 0; I < 4; ++I)
#pragma unroll
      for (int J = 0; J < 4; ++J)
        *reinterpret_cast<PairOfPixels *>(
            To + (RowOfWarp + 8 * I + Lane / 4) * Tile + ColumnOfWarp + 8 * J +
            Lane % 4 * 2) = {Sums[I / 2][J][I % 2 * 2],
                             Sums[I / 2][J][I % 2 * 2 + 1]};
  if (!OnDiagonal)
    return;
#pragma unroll
  for (int I = 0; I < RowsOfThread; ++I) {
#pragma unroll
    for (int Apart = LanesOfRow / 2; Apart > 0; Apart /= 2)
      BandSums[I] += __shfl_down_sync(~0u, BandSums[I], Apart);
    if (LaneOfRow == 0)
      OfBands[(size_t(blockIdx.y) * Tiles + Here.RowTile) * Tile + RowOfThread +
              I * RowsAtOnce] = BandSums[I];
  }
}

template <typename Sum> __device__ static Sum sumOf(double Value) {
  if constexpr (std::is_same_v<Sum, double>)
    return Value;
  else
    return __double2ll_rn(Value);
}

/// A thread an element of the tiles, or, in the last blocks, a band.
template <typename Sum>
__global__ void addChunks(const double *OfChunks, const double *BandsOfChunks,
                          Sum *Products, Sum *OfBands, int Bands, int Chunks,
                          int Pairs) {
  const int Tiles = (Bands + Tile - 1) / Tile;
  const auto Add = [&](const double *From, size_t Apart, Sum &To) {
    Sum Total = 0;
#pragma unroll 8
    for (int Chunk = 0; Chunk < Chunks; ++Chunk)
      Total += sumOf<Sum>(From[Chunk * Apart]);
    To += Total;
  };
  if (int(blockIdx.x) < Pairs) {
    const Place Here(blockIdx.x, Tiles);
    int InTile = blockIdx.y * Threads + threadIdx.x;
    int Row = Here.RowTile * Tile + InTile / Tile;
    int Column = Here.ColumnTile * Tile + InTile % Tile;
    if (Row <= Column && Column < Bands)
      Add(OfChunks + size_t(blockIdx.x) * Tile * Tile + InTile,
          size_t(Pairs) * Tile * Tile, Products[size_t(Row) * Bands + Column]);
    return;
  }
  int Band = (blockIdx.x - Pairs) * Threads + threadIdx.x;
  if (blockIdx.y == 0 && Band < Bands)
    Add(BandsOfChunks + Band, size_t(Tiles) * Tile, OfBands[Band]);
}

size_t scratchBytes(int Bands, int Pixels) {
  const size_t Tiles = size_t(tilesOf(Bands)),
               Pairs = size_t(pairsOf(tilesOf(Bands)));
  return sizeof(double) * size_t(mostChunks(Bands, Pixels)) *
         (Pairs * Tile * Tile + Tiles * Tile);
}

template <typename Sample, typename Sum>
void addProducts(const Sample *Data, const float *Pivots, Sum *Products,
                 Sum *OfBands, int Bands, int Pixels, int Pitch,
                 void *Scratch) {
  const int Tiles = tilesOf(Bands), Pairs = pairsOf(Tiles);
  const int Most = mostChunks(Bands, Pixels);
  const int OfChunk = ((Pixels + Most - 1) / Most + Step - 1) / Step * Step;
  const int Chunks = (Pixels + OfChunk - 1) / OfChunk;
  auto *OfChunks = static_cast<double *>(Scratch);
  double *BandsOfChunks = OfChunks + size_t(Chunks) * Pairs * Tile * Tile;
  multiplyChunks<<<dim3(Pairs, Chunks), Threads>>>(
      Data, Pivots, OfChunks, BandsOfChunks, Bands, Pixels, Pitch, OfChunk);
  dim3 Grid(Pairs + (Bands + Threads - 1) / Threads, Tile * Tile / Threads);
  addChunks<<<Grid, Threads>>>(OfChunks, BandsOfChunks, Products, OfBands,
                               Bands, Chunks, Pairs);
}

template void addProducts(const uint8_t *, const float *, int64_t *, int64_t *,
                          int, int, int, void *);
template void addProducts(const uint16_t *, const float *, int64_t *, int64_t *,
                          int, int, int, void *);
template void addProducts(const float *, const float *, int64_t *, int64_t *,
                          int, int, int, void *);
template void addProducts(const float *, const float *, double *, double *, int,
                          int, int, void *);

} // namespace mnf::doubles

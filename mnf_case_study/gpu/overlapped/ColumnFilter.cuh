//===- ColumnFilter.cuh - Warps that walk down the image --------*- C++ -*-===//
//
// The filter of the overlapped launches; its noise is V5's. Strips of lines are
// done one after the other, all bands of each, so that what reads noise and
// image next still finds them in L2. A warp takes eight columns a lane of a
// strip and walks down, and keeps what the next lines share: each line is
// loaded and sorted out once, where V5's tiles of two lines do so twice.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_MNF_CASE_STUDY_GPU_OVERLAPPED_COLUMNFILTER_CUH
#define WARPWISE_MNF_CASE_STUDY_GPU_OVERLAPPED_COLUMNFILTER_CUH

#include "../Strips.h"
#include "../noise_filter/NoiseBytes.cuh"

namespace mnf::columns {

/// A block has its multiprocessor to itself.
constexpr int Threads = 896;
/// Lines of a step down, and how many are loaded ahead. Four of these would
/// leave registers for 768 threads.
constexpr int LinesOfStep = 4, Ahead = 2;

/// What a launch filters.
struct Work {
  const uint8_t *Image;
  int8_t *Noise;
  WideChunks *Wide;
  /// Zeros at first: the next of the items that warps take, and for each strip
  /// how many of its items are done.
  int *Next, *Done;
  NoiseTiles Tiles;
  mnf::Strips Strips;
  int Bands, Pitch, NoisePitch;

  /// Columns of tiles that have a neighbour on both sides. The others are
  /// warps of their own, so that few warps have to look after edges.
  __host__ __device__ int inner() const { return Tiles.ofLine() - 2; }
  __host__ __device__ int innerItems() const {
    return (inner() * Bands + 31) / 32;
  }
  __host__ __device__ int itemsOfStrip() const {
    return innerItems() + (2 * Bands + 31) / 32;
  }
};

/// A lane's columns of Height lines. \p AtEdge: at the image's left, right or
/// lower edge.
template <bool AtEdge>
__device__ inline void filterColumns(const Work &Of, int Band, int Column,
                                     int First, int Height) {
  const int Samples = Of.Tiles.Samples, Lines = Of.Tiles.Lines;
  const int OfLine = Of.Tiles.ofLine();
  const uint8_t *Image = Of.Image + int64_t(Band) * Of.Pitch;
  const int Left = Column * tile::Wide;
  // Where the next line to load begins. Words have to be aligned, and bands
  // begin at a multiple of four bytes.
  int At = (First - 1) * Samples + Left - 1;
  uint32_t Shift = uint32_t(At) << 3;
  int ToLoad = First - 1, ToTake = First - 1;
  int Tile = First / tile::High * OfLine + Column;
  int8_t *To = Of.Noise + int64_t(Band) * Of.NoisePitch + PixelsOfTile * Tile;
  tile::Edge Edges = {};
  uint2 Columns = {};
  int Steps = Height / LinesOfStep;
  if constexpr (AtEdge) {
    Edges = tile::edgeOf(Left == 0, Samples - 1 - Left);
    Columns = tile::insideOf(Samples - Left);
    Steps = min(Steps, (Lines - First + LinesOfStep - 1) / LinesOfStep);
  }
  uint32_t Words[Ahead][4];
  // The line below the last one is there; the one after that is not.
  const auto Load = [&](int I, int Step) {
    const auto *From = reinterpret_cast<const uint32_t *>(Image + (At & ~3));
#pragma unroll
    for (int J = 0; J < 4; ++J)
      Words[I][J] = __ldg(From + J);
    At += !AtEdge || ++ToLoad <= Lines ? Step : 0;
  };
  const auto Take = [&](int I) {
    tile::Line Result = tile::lineOf<AtEdge>(Words[I], Shift, Edges);
    Shift += !AtEdge || ++ToTake <= Lines ? uint32_t(Samples) << 3 : 0;
    return Result;
  };
  Load(0, Samples);
  Load(1, Samples);
  tile::Line A = Take(0), B = Take(1);
  Load(0, Samples);
  Load(1, Samples);
  int Line = First;
#pragma unroll 1
  for (int I = 0; I < Steps; ++I) {
    const auto Filter = [&](const tile::Line &Middle, const tile::Line &One,
                            const tile::Line &Two, const tile::Line &Other,
                            const tile::Line &Sums, int Which,
                            uint32_t &TooLarge) {
      uint2 Inside = {};
      if constexpr (AtEdge)
        if (Line + Which < Lines)
          Inside = Columns;
      return tile::noiseOf<AtEdge>(
          Middle, tile::mediansOf(One, Two, Other, Sums), Inside, TooLarge);
    };
    const auto Store = [&](uint2 Upper, uint2 Lower) {
      *reinterpret_cast<uint4 *>(To) =
          make_uint4(Upper.x, Upper.y, Lower.x, Lower.y);
      To += PixelsOfTile * OfLine;
    };
    uint32_t TooLarge[2] = {};
    tile::Line C = Take(0);
    Load(0, Samples);
    tile::Line Sums = tile::sumsOf(B, C);
    uint2 Upper = Filter(B, B, C, A, Sums, 0, TooLarge[0]);
    tile::Line D = Take(1);
    Load(1, Samples);
    // Behind the strip its last line is loaded again: in a branch, all loads
    // would come last.
    const int Step = I + 1 < Steps ? Samples : 0;
    At -= Samples - Step;
    Store(Upper, Filter(C, B, C, D, Sums, 1, TooLarge[0]));
    A = Take(0);
    Load(0, Step);
    Sums = tile::sumsOf(D, A);
    Upper = Filter(D, D, A, C, Sums, 2, TooLarge[1]);
    B = Take(1);
    Load(1, Step);
    uint2 Lower = Filter(A, D, A, B, Sums, 3, TooLarge[1]);
    if (!AtEdge || Line + tile::High < Lines)
      Store(Upper, Lower);
    if ((TooLarge[0] | TooLarge[1]) & 0xff00ff00u) {
      if (TooLarge[0] & 0xff00ff00u)
        Of.Wide->add(Tile / TilesOfChunk, Of.Tiles);
      if (TooLarge[1] & 0xff00ff00u)
        Of.Wide->add((Tile + OfLine) / TilesOfChunk, Of.Tiles);
    }
    Tile += LinesOfStep / tile::High * OfLine;
    Line += LinesOfStep;
  }
}

/// All that a warp does.
__device__ inline void filterItems(const Work &Of) {
  const int Lane = threadIdx.x % 32;
  const int PerStrip = Of.itemsOfStrip(), Inner = Of.innerItems();
  while (true) {
    int Item = Lane == 0 ? atomicAdd(Of.Next, 1) : 0;
    Item = __shfl_sync(~0u, Item, 0);
    int Strip = Item / PerStrip;
    if (Strip >= Of.Strips.count())
      return;
    int Which = Item - Strip * PerStrip;
    int First = Of.Strips.first(Strip), Height = Of.Strips.height(Strip);
    // Behind the last columns lanes do them again.
    if (Which < Inner) {
      int Number = min(Which * 32 + Lane, Of.inner() * Of.Bands - 1);
      int Band = Number / Of.inner();
      int Column = Number - Band * Of.inner() + 1;
      if (First + Height <= Of.Tiles.Lines)
        filterColumns<false>(Of, Band, Column, First, Height);
      else
        filterColumns<true>(Of, Band, Column, First, Height);
    } else {
      int Number = min((Which - Inner) * 32 + Lane, 2 * Of.Bands - 1);
      filterColumns<true>(Of, Number / 2,
                          Number % 2 ? Of.Tiles.ofLine() - 1 : 0, First,
                          Height);
    }
    // What all lanes wrote is there before the counter says so.
    __syncwarp();
    if (Lane == 0)
      asm volatile("red.release.gpu.global.add.s32 [%0], 1;"
                   :
                   : "l"(&Of.Done[Strip])
                   : "memory");
  }
}

} // namespace mnf::columns

#endif // WARPWISE_MNF_CASE_STUDY_GPU_OVERLAPPED_COLUMNFILTER_CUH

//===- NoiseBytes.cuh - Noise as tensor cores take it -----------*- C++ -*-===//
//
// Noise as signed bytes in tiles: eight columns of two lines are 16
// neighbouring bytes, and what a tile has beyond the image is zero. A
// covariance does not ask for the order of pixels. The noise of bytes has nine
// bits; noise that is worth its name is small, so a byte is tried, and chunks
// in which one does not fit are listed.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWISE_MNF_CASE_STUDY_GPU_NOISE_FILTER_NOISEBYTES_CUH
#define WARPWISE_MNF_CASE_STUDY_GPU_NOISE_FILTER_NOISEBYTES_CUH

#include "Median.cuh"
#include "TileMedian.cuh"

namespace mnf {

constexpr int PixelsOfTile = tile::Wide * tile::High;
constexpr int TilesOfChunk = 8;
constexpr int PixelsOfChunk = TilesOfChunk * PixelsOfTile;

struct NoiseTiles {
  int Samples, Lines;

  __host__ __device__ int ofLine() const {
    return (Samples + tile::Wide - 1) / tile::Wide;
  }
  __host__ __device__ int count() const {
    return ofLine() * ((Lines + tile::High - 1) / tile::High);
  }
  /// Whether a tile needs more than the windows that are in memory.
  __device__ bool areAtEdge(int Line, int Column) const {
    return Column == 0 || Column + tile::Wide >= Samples ||
           Line + tile::High > Lines;
  }
  __host__ __device__ int chunks() const {
    return (count() + TilesOfChunk - 1) / TilesOfChunk;
  }
};

/// The noise of a thread's tile, band by band.
template <bool AtEdge> class TileFilter {
public:
  __device__ TileFilter(const NoiseTiles &Of, int Line, int Column) {
#pragma unroll
    for (int I = 0; I < 4; ++I) {
      // The line below the last one is there; the one after that is not.
      int Which = AtEdge ? min(Line - 1 + I, Of.Lines) : Line - 1 + I;
      int First = Which * Of.Samples + Column - 1;
      // Words have to be aligned, and bands begin at a multiple of four bytes.
      At[I] = First & ~3;
      Shift[I] = uint32_t(First) << 3;
    }
    if constexpr (AtEdge) {
      Edges = tile::edgeOf(Column == 0, Of.Samples - 1 - Column);
#pragma unroll
      for (int I = 0; I < 2; ++I)
        Inside[I] =
            tile::insideOf(Line + I < Of.Lines ? Of.Samples - Column : 0);
    }
  }

  /// Starts to load what the tile of a band needs.
  __device__ void load(const uint8_t *Band) {
#pragma unroll
    for (int I = 0; I < 4; ++I)
#pragma unroll
      for (int J = 0; J < 4; ++J)
        Words[I][J] =
            __ldg(reinterpret_cast<const uint32_t *>(Band + At[I]) + J);
  }

  /// What is loaded; load() may be called for the next band then.
  __device__ void take() {
#pragma unroll
    for (int I = 0; I < 4; ++I)
      Lines[I] = tile::lineOf<AtEdge>(Words[I], Shift[I], Edges);
  }

  /// The noise of what was taken, and bits of 0xff00ff00 where it fits no byte.
  __device__ uint4 noise(uint32_t &TooLarge) const {
    tile::Line Sums = tile::sumsOf(Lines[1], Lines[2]);
    uint2 First = tile::noiseOf<AtEdge>(
        Lines[1], tile::mediansOf(Lines[1], Lines[2], Lines[0], Sums),
        Inside[0], TooLarge);
    uint2 Second = tile::noiseOf<AtEdge>(
        Lines[2], tile::mediansOf(Lines[1], Lines[2], Lines[3], Sums),
        Inside[1], TooLarge);
    return make_uint4(First.x, First.y, Second.x, Second.y);
  }

private:
  int At[4];
  uint32_t Shift[4], Words[4][4];
  tile::Line Lines[4];
  tile::Edge Edges = {};
  uint2 Inside[2] = {};
};

/// The chunks with noise that fits no byte. Zeros, and then: for each chunk,
/// whether it is on the list, and the list.
struct WideChunks {
  int Count;

  __device__ int *listed() { return &Count + 1; }
  __device__ const int *which(const NoiseTiles &Of) const {
    return &Count + 1 + Of.chunks();
  }
  __device__ void add(int Chunk, const NoiseTiles &Of) {
    if (atomicExch(&listed()[Chunk], 1) == 0)
      (&Count + 1 + Of.chunks())[atomicAdd(&Count, 1)] = Chunk;
  }
};

} // namespace mnf

#endif // WARPWISE_MNF_CASE_STUDY_GPU_NOISE_FILTER_NOISEBYTES_CUH

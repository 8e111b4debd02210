// Rule: cuda-memory-local-array
// Points are spread onto a grid of complex numbers, six by six cells each, by
// adding to a tile in shared memory: the weights along a row are indexed in an
// array of a thread, whose length an argument says, or chosen by comparing the
// index with each of sixteen constants. Additions of doubles to shared memory
// are loops, which hide either.
#include "Pair.cuh"

constexpr int Tile = 32, Most = 16, Points = 1 << 20, OfBlock = 1024;


template <bool Selects>
__device__ void spread(double2 *Grid, const double *X, const double *Y,
                       const double2 *Strengths, int Width) {
  extern __shared__ double2 Cells[];
  const int Row = Tile + 2 * ((Width + 1) / 2);
  double Across[Most], Down[Most];
  for (int I = threadIdx.x; I < Row * Row; I += blockDim.x) {
    Cells[I].x = 0;
    Cells[I].y = 0;
  }
  __syncthreads();
  for (int I = threadIdx.x; I < OfBlock; I += blockDim.x) {
    const int P = blockIdx.x * OfBlock + I;
    const double AtX = X[P] * Tile, AtY = Y[P] * Tile;
    const double2 Strength = Strengths[P];
    const int Left = int(AtX), Top = int(AtY);
    for (int K = 0; K < Width; ++K) {
      const double Dx = Left + K - AtX, Dy = Top + K - AtY;
      Across[K] = 1 - Dx * Dx * 0.02;
      Down[K] = 1 - Dy * Dy * 0.02;
    }
    for (int J = 0; J < Width; ++J)
      for (int K = 0; K < Width; ++K) {
        double Weight = 0;
        if (Selects) {
#pragma unroll
          for (int N = 0; N < Most; ++N)
            Weight = N == K ? Across[N] : Weight;
        } else {
          Weight = Across[K];
        }
        const int Cell = (Top + J) * Row + Left + K;
        atomicAdd(&Cells[Cell].x, Strength.x * Weight * Down[J]);
        atomicAdd(&Cells[Cell].y, Strength.y * Weight * Down[J]);
      }
  }
  __syncthreads();
  for (int I = threadIdx.x; I < Row * Row; I += blockDim.x)
    Grid[blockIdx.x * Row * Row + I] = Cells[I];
}

__global__ void before(double2 *Grid, const double *X, const double *Y,
                       const double2 *Strengths, int Width) {
  spread<false>(Grid, X, Y, Strengths, Width);
}

__global__ void after(double2 *Grid, const double *X, const double *Y,
                      const double2 *Strengths, int Width) {
  spread<true>(Grid, X, Y, Strengths, Width);
}

int main() {
  constexpr int Width = 6, Row = Tile + Width, Blocks = Points / OfBlock;
  const double *X = input<double>(Points), *Y = input<double>(Points);
  const double2 *Strengths =
      reinterpret_cast<const double2 *>(input<double>(2 * Points));
  double2 *Expected = reinterpret_cast<double2 *>(
              output<double>(2 * Blocks * Row * Row)),
          *Grid = reinterpret_cast<double2 *>(
              output<double>(2 * Blocks * Row * Row));
  Pair P("spread-weights-selected");
  P.same(reinterpret_cast<double *>(Expected), reinterpret_cast<double *>(Grid),
         2 * Blocks * Row * Row);
  while (P.next())
    if (P.beforesTurn())
      before<<<Blocks, 256, Row * Row * 16>>>(Expected, X, Y, Strengths, Width);
    else
      after<<<Blocks, 256, Row * Row * 16>>>(Grid, X, Y, Strengths, Width);
}

// Rule: cuda-memory-bank-conflict
// Logarithms of the determinants of covariance matrices of 32 rows, by Gaussian
// elimination in shared memory, a matrix per warp and a row per lane: rows of
// 32 floats, all in one bank, or of 33.
#include "Pair.cuh"

constexpr int Matrices = 4096, Dim = 32, Warps = 4;

template <int Pitch>
__device__ float logDeterminant(const float *Matrix, float *Tile, int Lane) {
  for (int R = 0; R < Dim; ++R)
    Tile[R * Pitch + Lane] = Matrix[R * Dim + Lane] + (R == Lane ? 32.0f : 0);
  __syncwarp();
  float *Mine = Tile + Lane * Pitch;
  float Sum = 0;
  for (int K = 0; K < Dim; ++K) {
    const float *Pivot = Tile + K * Pitch;
    Sum += __logf(Pivot[K]);
    if (Lane > K) {
      const float Factor = Mine[K] / Pivot[K];
      for (int J = K + 1; J < Dim; ++J)
        Mine[J] -= Factor * Pivot[J];
    }
    __syncwarp();
  }
  return Sum;
}

__global__ void before(const float *In, float *Out) {
  __shared__ float Tiles[Warps * Dim * Dim];
  const int Warp = threadIdx.y, Lane = threadIdx.x;
  const int M = blockIdx.x * Warps + Warp;
  const float Sum = logDeterminant<Dim>(In + size_t(M) * Dim * Dim,
                                        Tiles + Warp * Dim * Dim, Lane);
  if (Lane == 0)
    Out[M] = Sum;
}

__global__ void after(const float *In, float *Out) {
  __shared__ float Tiles[Warps * Dim * (Dim + 1)];
  const int Warp = threadIdx.y, Lane = threadIdx.x;
  const int M = blockIdx.x * Warps + Warp;
  const float Sum = logDeterminant<Dim + 1>(
      In + size_t(M) * Dim * Dim, Tiles + Warp * Dim * (Dim + 1), Lane);
  if (Lane == 0)
    Out[M] = Sum;
}

int main() {
  const float *In = input<float>(size_t(Matrices) * Dim * Dim);
  float *Expected = output<float>(Matrices), *Out = output<float>(Matrices);
  Pair P("determinant-rows-padded");
  P.same(Expected, Out, Matrices);
  while (P.next())
    if (P.beforesTurn())
      before<<<Matrices / Warps, dim3(32, Warps)>>>(In, Expected);
    else
      after<<<Matrices / Warps, dim3(32, Warps)>>>(In, Out);
}

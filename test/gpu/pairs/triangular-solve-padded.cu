// Rule: cuda-memory-bank-conflict
// Triangular systems of 32 unknowns, one a warp, whose lanes have the rows of a
// matrix in shared memory: rows of 32 words or of 33.
#include "Pair.cuh"

constexpr int Systems = 8192, N = 32, Warps = 4;

template <int Pitch>
__device__ void solve(const float *Matrix, const float *Right, float *X) {
  __shared__ float L[Warps][N * Pitch];
  const int Lane = threadIdx.x, W = threadIdx.y;
  const int S = blockIdx.x * Warps + W;
#pragma unroll 8
  for (int R = 0; R < N; ++R)
    L[W][R * Pitch + Lane] = Matrix[(S * N + R) * N + Lane];
  __syncwarp();
  float Rest = Right[S * N + Lane];
  for (int K = 0; K < N; ++K) {
    const float V = L[W][Lane * Pitch + K];
    const float Found = __shfl_sync(~0u, Rest / (V + 4), K);
    if (Lane > K)
      Rest -= V * Found;
    else if (Lane == K)
      Rest = Found;
  }
  X[S * N + Lane] = Rest;
}

__global__ void before(const float *Matrix, const float *Right, float *X) {
  solve<N>(Matrix, Right, X);
}

__global__ void after(const float *Matrix, const float *Right, float *X) {
  solve<N + 1>(Matrix, Right, X);
}

int main() {
  const float *Matrix = input<float>(Systems * N * N),
              *Right = input<float>(Systems * N);
  float *Expected = output<float>(Systems * N), *Out = output<float>(Systems * N);
  Pair P("triangular-solve-padded");
  P.same(Expected, Out, Systems * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<Systems / Warps, dim3(32, Warps)>>>(Matrix, Right, Expected);
    else
      after<<<Systems / Warps, dim3(32, Warps)>>>(Matrix, Right, Out);
}

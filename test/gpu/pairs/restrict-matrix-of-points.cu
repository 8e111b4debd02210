// Rule: cuda-memory-missing-restrict
// A 3x4 matrix turns points in a loop; it is loaded for each point again,
// since the point that was written may be a part of it.
#include "Pair.cuh"

constexpr int N = 1 << 20, Threads = 1 << 17;

__global__ void before(const float *M, const float *X, const float *Y,
                       const float *Z, float *U, float *V, float *W) {
  for (int I = blockIdx.x * blockDim.x + threadIdx.x; I < N;
       I += gridDim.x * blockDim.x) {
    U[I] = M[0] * X[I] + M[1] * Y[I] + M[2] * Z[I] + M[3];
    V[I] = M[4] * X[I] + M[5] * Y[I] + M[6] * Z[I] + M[7];
    W[I] = M[8] * X[I] + M[9] * Y[I] + M[10] * Z[I] + M[11];
  }
}

__global__ void after(const float *__restrict__ M, const float *__restrict__ X,
                      const float *__restrict__ Y, const float *__restrict__ Z,
                      float *__restrict__ U, float *__restrict__ V,
                      float *__restrict__ W) {
  for (int I = blockIdx.x * blockDim.x + threadIdx.x; I < N;
       I += gridDim.x * blockDim.x) {
    U[I] = M[0] * X[I] + M[1] * Y[I] + M[2] * Z[I] + M[3];
    V[I] = M[4] * X[I] + M[5] * Y[I] + M[6] * Z[I] + M[7];
    W[I] = M[8] * X[I] + M[9] * Y[I] + M[10] * Z[I] + M[11];
  }
}

int main() {
  const float *M = input<float>(12), *X = input<float>(N), *Y = input<float>(N),
              *Z = input<float>(N);
  float *U = output<float>(N), *V = output<float>(N), *W = output<float>(N);
  float *U2 = output<float>(N), *V2 = output<float>(N), *W2 = output<float>(N);
  Pair P("restrict-matrix-of-points");
  P.same(U, U2, N);
  P.same(V, V2, N);
  P.same(W, W2, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<Threads / 256, 256>>>(M, X, Y, Z, U, V, W);
    else
      after<<<Threads / 256, 256>>>(M, X, Y, Z, U2, V2, W2);
}

// Rule: cuda-memory-redundant-round-trip
// The end of an iteration of BiCGStab: new solution, new residual, and each
// block's share of two dot products of the residual, in three loops one after
// the other or in one.
#include "Pair.cuh"

constexpr int N = 1 << 23, Blocks = 1056, Threads = 256;

__device__ void storeBlockSums(float Norm, float Rho, float *Partial) {
  __shared__ float Norms[Threads / 32], Rhos[Threads / 32];
  for (int Step = 16; Step > 0; Step /= 2) {
    Norm += __shfl_xor_sync(~0u, Norm, Step);
    Rho += __shfl_xor_sync(~0u, Rho, Step);
  }
  if (threadIdx.x % 32 == 0) {
    Norms[threadIdx.x / 32] = Norm;
    Rhos[threadIdx.x / 32] = Rho;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int W = 1; W < Threads / 32; ++W) {
      Norm += Norms[W];
      Rho += Rhos[W];
    }
    Partial[2 * blockIdx.x] = Norm;
    Partial[2 * blockIdx.x + 1] = Rho;
  }
}

__global__ void before(float Alpha, float Omega, const float *P, const float *S,
                       const float *T, const float *Shadow, float *X, float *R,
                       float *Partial) {
  const int First = blockIdx.x * Threads + threadIdx.x;
  const int Stride = Blocks * Threads;
  for (int I = First; I < N; I += Stride)
    X[I] += Alpha * P[I] + Omega * S[I];
  for (int I = First; I < N; I += Stride)
    R[I] = S[I] - Omega * T[I];
  float Norm = 0, Rho = 0;
  for (int I = First; I < N; I += Stride) {
    Norm += R[I] * R[I];
    Rho += Shadow[I] * R[I];
  }
  storeBlockSums(Norm, Rho, Partial);
}

__global__ void after(float Alpha, float Omega, const float *P, const float *S,
                      const float *T, const float *Shadow, float *X, float *R,
                      float *Partial) {
  const int First = blockIdx.x * Threads + threadIdx.x;
  const int Stride = Blocks * Threads;
  float Norm = 0, Rho = 0;
  for (int I = First; I < N; I += Stride) {
    const float Old = S[I], New = Old - Omega * T[I];
    X[I] += Alpha * P[I] + Omega * Old;
    R[I] = New;
    Norm += New * New;
    Rho += Shadow[I] * New;
  }
  storeBlockSums(Norm, Rho, Partial);
}

int main() {
  const float *Vectors = input<float>(4 * size_t(N));
  const float *Search = Vectors, *S = Vectors + N, *T = S + N, *Shadow = T + N;
  float *ExpectedX = input<float>(N), *X = input<float>(N);
  float *ExpectedR = output<float>(N), *R = output<float>(N);
  float *Expected = output<float>(2 * Blocks), *Out = output<float>(2 * Blocks);
  Pair P("bicgstab-update-norm-one-loop");
  P.same(ExpectedX, X, N);
  P.same(ExpectedR, R, N);
  P.same(Expected, Out, 2 * Blocks);
  while (P.next())
    if (P.beforesTurn())
      before<<<Blocks, Threads>>>(0.3f, 0.6f, Search, S, T, Shadow, ExpectedX,
                                  ExpectedR, Expected);
    else
      after<<<Blocks, Threads>>>(0.3f, 0.6f, Search, S, T, Shadow, X, R, Out);
}

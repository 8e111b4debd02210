// Rule: cuda-memory-needless-staging
// Fourier transforms of 1024 points, one by each block, radix 4 in Stockham's
// order. The stages work in one shared buffer with two barriers each, or go to
// and fro between two buffers with one barrier each.
#include "Pair.cuh"

constexpr int N = 1024, Threads = N / 4, Transforms = 4096;

__device__ __forceinline__ float2 operator+(float2 A, float2 B) {
  return make_float2(A.x + B.x, A.y + B.y);
}

__device__ __forceinline__ float2 operator-(float2 A, float2 B) {
  return make_float2(A.x - B.x, A.y - B.y);
}

__device__ __forceinline__ float2 turned(float2 A, float Angle) {
  float S, C;
  __sincosf(Angle, &S, &C);
  return make_float2(A.x * C - A.y * S, A.x * S + A.y * C);
}

__device__ __forceinline__ void butterfly(float2 *U, int K, int P) {
  const float Angle = -1.5707963f * K / P;
  const float2 B = turned(U[1], Angle), C = turned(U[2], 2 * Angle),
               D = turned(U[3], 3 * Angle);
  const float2 V0 = U[0] + C, V1 = U[0] - C, V2 = B + D, E = B - D;
  const float2 V3 = make_float2(E.y, -E.x);
  U[0] = V0 + V2;
  U[1] = V1 + V3;
  U[2] = V0 - V2;
  U[3] = V1 - V3;
}

__global__ void before(const float2 *__restrict__ In, float2 *Out) {
  __shared__ float2 X[N];
  const int T = threadIdx.x;
  const size_t Base = size_t(blockIdx.x) * N;
  for (int I = T; I < N; I += Threads)
    X[I] = In[Base + I];
  __syncthreads();
#pragma unroll
  for (int P = 1; P < N; P *= 4) {
    const int K = T & (P - 1), To = (T - K) * 4 + K;
    float2 U[4];
    for (int J = 0; J < 4; ++J)
      U[J] = X[T + J * Threads];
    __syncthreads();
    butterfly(U, K, P);
    for (int J = 0; J < 4; ++J)
      X[To + J * P] = U[J];
    __syncthreads();
  }
  for (int I = T; I < N; I += Threads)
    Out[Base + I] = X[I];
}

__global__ void after(const float2 *__restrict__ In, float2 *Out) {
  __shared__ float2 X[2][N];
  const int T = threadIdx.x;
  const size_t Base = size_t(blockIdx.x) * N;
  for (int I = T; I < N; I += Threads)
    X[0][I] = In[Base + I];
  __syncthreads();
  int From = 0;
#pragma unroll
  for (int P = 1; P < N; P *= 4) {
    const int K = T & (P - 1), To = (T - K) * 4 + K;
    float2 U[4];
    for (int J = 0; J < 4; ++J)
      U[J] = X[From][T + J * Threads];
    butterfly(U, K, P);
    From ^= 1;
    for (int J = 0; J < 4; ++J)
      X[From][To + J * P] = U[J];
    __syncthreads();
  }
  for (int I = T; I < N; I += Threads)
    Out[Base + I] = X[From][I];
}

int main() {
  constexpr size_t Count = size_t(N) * Transforms;
  const float2 *In = (const float2 *)input<float>(2 * Count);
  float2 *Expected = output<float2>(Count), *Out = output<float2>(Count);
  Pair P("fft-1024-two-buffers");
  P.same((float *)Expected, (float *)Out, 2 * Count);
  while (P.next())
    if (P.beforesTurn())
      before<<<Transforms, Threads>>>(In, Expected);
    else
      after<<<Transforms, Threads>>>(In, Out);
}

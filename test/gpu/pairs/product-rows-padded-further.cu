// Rule: cuda-memory-bank-conflict
// Tiles whose rows are 33 words, of which a thread reads four rows that are
// written out: nvcc loads four words at a time, without conflict (33 LDS.128).
// With a word more between the rows, as scalar loads would need it, it is 30
// LDS.128 and 4 LDS.64, with conflicts.
#include "Pair.cuh"

template <int Pitch>
__global__ void product(const float *__restrict__ A,
                        const float *__restrict__ B, float *Out, int N) {
  __shared__ float SA[16][Pitch];
  __shared__ float SB[64][Pitch];
  float Sums[4] = {};
  for (int C = 0; C < N; C += 32) {
    __syncthreads();
    for (int Y = threadIdx.y; Y < 16; Y += 8)
      for (int X = threadIdx.x; X < 32; X += 16)
        SA[Y][X] = A[(blockIdx.x * 16 + Y) * N + C + X];
    for (int Y = threadIdx.y; Y < 64; Y += 8)
      for (int X = threadIdx.x; X < 32; X += 16)
        SB[Y][X] = B[(blockIdx.y * 64 + Y) * N + C + X];
    __syncthreads();
#pragma unroll
    for (int I = 0; I < 32; ++I)
#pragma unroll
      for (int F = 0; F < 4; ++F)
        Sums[F] += SA[threadIdx.y][I] * SB[threadIdx.x * 4 + F][I];
  }
  for (int F = 0; F < 4; ++F)
    Out[(blockIdx.x * 8 + threadIdx.y) * 4096 + blockIdx.y * 64 + F * 16 +
        threadIdx.x] = Sums[F];
}

int main() {
  constexpr int N = 1024;
  const float *A = input<float>(2048 * N), *B = input<float>(4096 * N);
  float *Expected = output<float>(1024 * 4096),
        *Out = output<float>(1024 * 4096);
  Pair P("product-rows-padded-further");
  P.same(Expected, Out, 1024 * 4096);
  while (P.next())
    if (P.beforesTurn())
      product<33><<<dim3(128, 64), dim3(16, 8)>>>(A, B, Expected, N);
    else
      product<34><<<dim3(128, 64), dim3(16, 8)>>>(A, B, Out, N);
}

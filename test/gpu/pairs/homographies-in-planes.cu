// Rule: cuda-memory-uncoalesced-access
// Guesses at the homography between two pictures, each judged by how far it
// leaves 320 matched points from each other; those in the picture's middle
// weigh more. A thread judges a guess, whose nine numbers lie next to each
// other, or in nine planes.
#include "Pair.cuh"

constexpr int Guesses = 1 << 17, Matches = 320;

__constant__ float4 Match[Matches];

__device__ __forceinline__ float cost(const float *H) {
  float Sum = 0;
#pragma unroll 4
  for (int M = 0; M < Matches; ++M) {
    const float4 P = Match[M];
    const float Scale =
        __fdividef(1.0f, H[6] * P.x + H[7] * P.y + H[8] + 0.5f);
    const float X = (H[0] * P.x + H[1] * P.y + H[2]) * Scale - P.z;
    const float Y = (H[3] * P.x + H[4] * P.y + H[5]) * Scale - P.w;
    const float Square = X * X + Y * Y;
    // Wrong matches cost no more than this.
    const float Weight = 1.5f - fabsf(P.x - 0.5f) - fabsf(P.y - 0.5f);
    Sum += Weight * fminf(Square, 0.2f);
  }
  return Sum;
}

__global__ void before(const float *__restrict__ Guess,
                       float *__restrict__ Cost) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float H[9];
#pragma unroll
  for (int K = 0; K < 9; ++K)
    H[K] = Guess[9 * I + K];
  Cost[I] = cost(H);
}

__global__ void after(const float *__restrict__ Guess,
                      float *__restrict__ Cost) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float H[9];
#pragma unroll
  for (int K = 0; K < 9; ++K)
    H[K] = Guess[K * Guesses + I];
  Cost[I] = cost(H);
}

int main() {
  const float *Records = input<float>(9 * Guesses);
  const float *Planes = arranged(
      Records, 9 * Guesses, 9 * Guesses,
      [](size_t I) { return I % Guesses * 9 + I / Guesses; });
  const float *Matched = input<float>(4 * Matches);
  must(cudaMemcpyToSymbol(Match, Matched, sizeof(Match), 0,
                          cudaMemcpyDeviceToDevice));
  float *Expected = output<float>(Guesses), *Out = output<float>(Guesses);
  Pair P("homographies-in-planes");
  P.same(Expected, Out, Guesses);
  while (P.next())
    if (P.beforesTurn())
      before<<<Guesses / 128, 128>>>(Records, Expected);
    else
      after<<<Guesses / 128, 128>>>(Planes, Out);
}

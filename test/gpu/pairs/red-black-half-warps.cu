// Rule: cuda-memory-idle-lanes
// The red half of a red-black step: a thread per cell, every second one idle,
// or a thread per red cell, with the same lines and half the warps.
#include "Pair.cuh"

constexpr int N = 4096, Pitch = N + 2;

__device__ void relax(float *U, int X, int Y) {
  const int I = (Y + 1) * Pitch + X + 1;
  U[I] = 0.25f * (U[I - 1] + U[I + 1] + U[I - Pitch] + U[I + Pitch]);
}

__global__ void before(float *U) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x;
  const int Y = blockIdx.y * blockDim.y + threadIdx.y;
  if ((X + Y) % 2 == 0)
    relax(U, X, Y);
}

__global__ void after(float *U) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x;
  const int Y = blockIdx.y * blockDim.y + threadIdx.y;
  relax(U, 2 * X + Y % 2, Y);
}

int main() {
  float *Expected = input<float>(Pitch * Pitch),
        *Out = input<float>(Pitch * Pitch);
  Pair P("red-black-half-warps");
  P.same(Expected, Out, Pitch * Pitch);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(N / 32, N / 8), dim3(32, 8)>>>(Expected);
    else
      after<<<dim3(N / 64, N / 8), dim3(32, 8)>>>(Out);
}

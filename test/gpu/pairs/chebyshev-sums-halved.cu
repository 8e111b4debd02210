// Rule: cuda-memory-register-spill
// 48 Chebyshev coefficients, a sum of each in every thread, with 40 registers
// as blocks are to be many: they spill, or two walks over the samples have 24
// sums each.
#include "Pair.cuh"

constexpr int Blocks = 792, Threads = Blocks * 256, Samples = 64, Degrees = 48;

template <int First, int Count>
__device__ void addUp(const float *X, const float *Y, float *Out) {
  const int T = blockIdx.x * 256 + threadIdx.x;
  float Sums[Count] = {};
  for (int S = 0; S < Samples; ++S) {
    const float At = X[S * Threads + T], Value = Y[S * Threads + T];
    float Last = At, Now = 1; // of degrees -1 and 0
#pragma unroll
    for (int D = 0; D < First + Count; ++D) {
      if (D >= First)
        Sums[D - First] += Value * Now;
      const float Next = 2 * At * Now - Last;
      Last = Now;
      Now = Next;
    }
  }
#pragma unroll
  for (int D = 0; D < Count; ++D)
    Out[(First + D) * Threads + T] = Sums[D];
}

__global__ void __launch_bounds__(256, 6)
    before(const float *X, const float *Y, float *Out) {
  addUp<0, Degrees>(X, Y, Out);
}

__global__ void __launch_bounds__(256, 6)
    after(const float *X, const float *Y, float *Out) {
  addUp<0, Degrees / 2>(X, Y, Out);
  addUp<Degrees / 2, Degrees / 2>(X, Y, Out);
}

int main() {
  const float *X = input<float>(Samples * Threads),
              *Y = input<float>(Samples * Threads);
  float *Expected = output<float>(Degrees * Threads),
        *Out = output<float>(Degrees * Threads);
  Pair P("chebyshev-sums-halved");
  P.same(Expected, Out, Degrees * Threads);
  while (P.next())
    if (P.beforesTurn())
      before<<<Blocks, 256>>>(X, Y, Expected);
    else
      after<<<Blocks, 256>>>(X, Y, Out);
}

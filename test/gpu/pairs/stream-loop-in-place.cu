// Rule: cuda-memory-scalar-stream
// A grid that fills the GPU once adds to 64 MB in place, four bytes or sixteen
// bytes a lane at a time.
#include "Pair.cuh"

constexpr int N = 1 << 24, Blocks = 132 * 16, Threads = 128;

__global__ void before(float *Out) {
  for (int I = blockIdx.x * Threads + threadIdx.x; I < N; I += Blocks * Threads)
    Out[I] += 1;
}

__global__ void after(float4 *Out) {
  for (int I = blockIdx.x * Threads + threadIdx.x; I < N / 4;
       I += Blocks * Threads) {
    const float4 V = Out[I];
    Out[I] = {V.x + 1, V.y + 1, V.z + 1, V.w + 1};
  }
}

int main() {
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("stream-loop-in-place");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<Blocks, Threads>>>(Expected);
    else
      after<<<Blocks, Threads>>>(reinterpret_cast<float4 *>(Out));
}

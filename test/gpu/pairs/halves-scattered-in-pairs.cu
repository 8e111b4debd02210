// Rule: cuda-memory-atomic-contention
// Gradients of an embedding are added to rows that the tokens choose, a half a
// lane: one half, which is a loop of a compare-and-swap, or both halves of its
// word, of which the other gets nothing. Each row gets as much as it loses.
// Options: --buffer=Row=random,count=524288,below=65536
#include "Pair.cuh"

#include <cuda_fp16.h>

constexpr int Count = 1 << 20, Rows = 1 << 16;

__device__ __half gradient(int I) {
  return __float2half(I < Count / 2 ? 1.0f : -1.0f);
}

__global__ void before(const int *__restrict__ Row, __half *Sum) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&Sum[Row[I % (Count / 2)]], gradient(I));
}

__global__ void after(const int *__restrict__ Row, __half2 *Sum) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const int To = Row[I % (Count / 2)];
  const __half None = __float2half(0.0f);
  atomicAdd(&Sum[To / 2], To % 2 ? __halves2half2(None, gradient(I))
                                 : __halves2half2(gradient(I), None));
}

int main() {
  const int *Row = input<int>(Count / 2, Rows);
  const std::vector<uint16_t> Ones(Rows, 0x3c00);
  uint16_t *Expected = onDevice(Ones), *Out = onDevice(Ones);
  Pair P("halves-scattered-in-pairs");
  P.same(Expected, Out, Rows);
  while (P.next())
    if (P.beforesTurn())
      before<<<Count / 256, 256>>>(Row, (__half *)Expected);
    else
      after<<<Count / 256, 256>>>(Row, (__half2 *)Out);
}

// Rule: cuda-memory-uncoalesced-access
// What a Fourier transform begins with, in the order of reversed bits: each
// value is stored far from its neighbour's, or 32 x 32 of them change places in
// shared memory and leave in rows.
#include "Pair.cuh"

constexpr int Bits = 22, N = 1 << Bits;

__device__ unsigned reversed(unsigned Value, int Count) {
  return __brev(Value) >> (32 - Count);
}

__global__ void before(const float2 *In, float2 *Out) {
  const unsigned I = blockIdx.x * 256 + threadIdx.x;
  Out[reversed(I, Bits)] = In[I];
}

__global__ void after(const float2 *In, float2 *Out) {
  __shared__ float2 Tile[32][33];
  const unsigned Lane = threadIdx.x, Middle = blockIdx.x;
  for (unsigned High = threadIdx.y; High < 32; High += 8)
    Tile[High][Lane] = In[High << 17 | Middle << 5 | Lane];
  __syncthreads();
  const unsigned Turned = reversed(Middle, 12);
  for (unsigned High = threadIdx.y; High < 32; High += 8)
    Out[High << 17 | Turned << 5 | Lane] =
        Tile[reversed(Lane, 5)][reversed(High, 5)];
}

int main() {
  const float *In = input<float>(2 * N);
  float *Expected = output<float>(2 * N), *Out = output<float>(2 * N);
  Pair P("bit-reversal-tiles");
  P.same(Expected, Out, 2 * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>((const float2 *)In, (float2 *)Expected);
    else
      after<<<N / 1024, dim3(32, 8)>>>((const float2 *)In, (float2 *)Out);
}

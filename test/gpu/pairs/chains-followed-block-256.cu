// Rule: cuda-memory-small-block
// Overflow chains of a hash table are followed for sixteen links that lie
// anywhere, a chain a thread, in blocks of a warp or of eight.
#include "Pair.cuh"

constexpr int N = 1 << 18, Links = 1 << 22, Steps = 16;

__device__ void follow(const uint2 *Chain, uint32_t *Sums) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  uint32_t At = I * 16, Sum = 0;
  for (int S = 0; S < Steps; ++S) {
    const uint2 Link = Chain[At];
    Sum += Link.y;
    At = Link.x;
  }
  Sums[I] = Sum;
}

__global__ void before(const uint2 *Chain, uint32_t *Sums) {
  follow(Chain, Sums);
}

__global__ void after(const uint2 *Chain, uint32_t *Sums) {
  follow(Chain, Sums);
}

int main() {
  const uint32_t *Chain = input<uint32_t>(2 * Links, Links);
  uint32_t *Expected = output<uint32_t>(N), *Out = output<uint32_t>(N);
  Pair P("chains-followed-block-256");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 32, 32>>>((const uint2 *)Chain, Expected);
    else
      after<<<N / 256, 256>>>((const uint2 *)Chain, Out);
}

// Rule: cuda-memory-idle-lanes
// Where each of 32 strings of a group begins, from their lengths: the first
// lane of a warp adds up, or all lanes do by shuffles.
#include "Pair.cuh"

constexpr int N = 1 << 22;

__global__ void before(const uint16_t *Lengths, int *Offsets) {
  __shared__ int Group[256];
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Group[threadIdx.x] = Lengths[I];
  __syncwarp();
  if (threadIdx.x % 32 == 0) {
    int Sum = 0;
    for (int J = threadIdx.x; J < threadIdx.x + 32; ++J) {
      const int Length = Group[J];
      Group[J] = Sum;
      Sum += Length;
    }
  }
  __syncwarp();
  Offsets[I] = Group[threadIdx.x];
}

__global__ void after(const uint16_t *Lengths, int *Offsets) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const int Length = Lengths[I];
  int Sum = Length;
  for (int J = 1; J < 32; J *= 2) {
    const int Other = __shfl_up_sync(~0u, Sum, J);
    if (int(threadIdx.x % 32) >= J)
      Sum += Other;
  }
  Offsets[I] = Sum - Length;
}

int main() {
  const uint16_t *Lengths = input<uint16_t>(N, 1000);
  int *Expected = output<int>(N), *Out = output<int>(N);
  Pair P("string-offsets-by-warp-scan");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(Lengths, Expected);
    else
      after<<<N / 256, 256>>>(Lengths, Out);
}

// Rule: cuda-memory-atomic-contention
// Amounts are summed by day, and the rows are in the order of days: each lane
// adds its own, or a warp whose lanes have the same day adds once.
// Options: --buffer=Day=sorted,count=4194304,below=4096
#include "Pair.cuh"

constexpr int N = 1 << 22, Days = 4096;

__global__ void before(const int *Day, const float *Amount, float *Sums) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&Sums[Day[I]], Amount[I]);
}

__global__ void after(const int *Day, const float *Amount, float *Sums) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const int D = Day[I];
  float V = Amount[I];
  if (!__all_sync(~0u, D == __shfl_sync(~0u, D, 0))) {
    atomicAdd(&Sums[D], V);
    return;
  }
  for (int Step = 16; Step > 0; Step /= 2)
    V += __shfl_down_sync(~0u, V, Step);
  if (threadIdx.x % 32 == 0)
    atomicAdd(&Sums[D], V);
}

int main() {
  std::vector<int> Of(N);
  for (int I = 0; I < N; ++I)
    Of[I] = mixed(I) % Days;
  std::sort(Of.begin(), Of.end());
  const int *Day = onDevice(Of);
  const float *Amount = input<float>(N);
  float *Expected = output<float>(Days), *Out = output<float>(Days);
  Pair P("invoice-sums-aggregated");
  P.same(Expected, Out, Days);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(Day, Amount, Expected);
    else
      after<<<N / 256, 256>>>(Day, Amount, Out);
}

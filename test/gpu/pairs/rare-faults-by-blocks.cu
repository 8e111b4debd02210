// Rule: cuda-memory-atomic-contention
// Readings out of bounds, one of some ten thousand, are counted below and
// above: by an atomic each, or by the block, which adds once.
#include "Pair.cuh"

constexpr int N = 1 << 23;

__global__ void before(const float *Readings, float Low, float High,
                       int *Faults) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const float Reading = Readings[I];
  if (Reading < Low)
    atomicAdd(Faults, 1);
  if (Reading > High)
    atomicAdd(Faults + 1, 1);
}

__global__ void after(const float *Readings, float Low, float High,
                      int *Faults) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const float Reading = Readings[I];
  const int Lower = __syncthreads_count(Reading < Low);
  const int Higher = __syncthreads_count(Reading > High);
  if (threadIdx.x == 0) {
    atomicAdd(Faults, Lower);
    atomicAdd(Faults + 1, Higher);
  }
}

int main() {
  const float *Readings = input<float>(N);
  int *Expected = output<int>(2), *Out = output<int>(2);
  Pair P("rare-faults-by-blocks");
  P.same(Expected, Out, 2);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(Readings, 5e-5f, 1 - 5e-5f, Expected);
    else
      after<<<N / 256, 256>>>(Readings, 5e-5f, 1 - 5e-5f, Out);
}

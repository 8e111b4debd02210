// Rule: cuda-memory-atomic-contention
// Particles give their charge to two cells of a grid, in any order, or sorted
// by cell, sixteen in each: then the lanes of a warp meet.
// Options: --buffer=Place=random,count=1048576,below=1048576
// Options: --buffer=Sorted=iota,count=1048576
#include "Pair.cuh"

constexpr int N = 1 << 20, Cells = N / 16;

__global__ void before(const unsigned *Place, float *Charge) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned P = Place[I], Cell = P / 16;
  const float Share = (P % 16) / 16.0f;
  atomicAdd(&Charge[Cell], 1 - Share);
  atomicAdd(&Charge[Cell + 1], Share);
}

__global__ void after(const unsigned *Sorted, float *Charge) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned P = Sorted[I], Cell = P / 16;
  const float Share = (P % 16) / 16.0f;
  atomicAdd(&Charge[Cell], 1 - Share);
  atomicAdd(&Charge[Cell + 1], Share);
}

int main() {
  // Each place once: what is done to the bits of I can be undone.
  std::vector<unsigned> Mixed(N), InOrder(N);
  for (unsigned I = 0; I < N; ++I) {
    InOrder[I] = I;
    Mixed[I] = (I ^ I >> 9) * 2654435769u % N;
  }
  const unsigned *Place = onDevice(Mixed), *Sorted = onDevice(InOrder);
  float *Expected = output<float>(Cells + 1), *Out = output<float>(Cells + 1);
  Pair P("charge-deposit-sorted");
  P.same(Expected, Out, Cells + 1);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(Place, Expected);
    else
      after<<<N / 256, 256>>>(Sorted, Out);
}

// Rule: cuda-memory-bank-conflict
// A block sorts 1024 numbers in shared memory. Steps between close ones meet
// with two lanes in a bank, which a word of padding after each 32 avoids.
#include "Pair.cuh"

constexpr int Blocks = 2112, Each = 1024;

__global__ void before(const unsigned *In, unsigned *Out) {
  __shared__ unsigned Keys[Each];
  const int T = threadIdx.x, Base = blockIdx.x * Each;
  for (int I = T; I < Each; I += Each / 2)
    Keys[I] = In[Base + I];
  for (int Size = 2; Size <= Each; Size *= 2)
    for (int Step = Size / 2; Step; Step /= 2) {
      __syncthreads();
      const int Low = 2 * T - (T & (Step - 1)), High = Low + Step;
      const unsigned A = Keys[Low], B = Keys[High];
      if ((A > B) == ((Low & Size) == 0)) {
        Keys[Low] = B;
        Keys[High] = A;
      }
    }
  __syncthreads();
  for (int I = T; I < Each; I += Each / 2)
    Out[Base + I] = Keys[I];
}

__device__ int padded(int I) { return I + I / 32; }

__global__ void after(const unsigned *In, unsigned *Out) {
  __shared__ unsigned Keys[Each + Each / 32];
  const int T = threadIdx.x, Base = blockIdx.x * Each;
  for (int I = T; I < Each; I += Each / 2)
    Keys[padded(I)] = In[Base + I];
  for (int Size = 2; Size <= Each; Size *= 2)
    for (int Step = Size / 2; Step; Step /= 2) {
      __syncthreads();
      const int Low = 2 * T - (T & (Step - 1)), High = Low + Step;
      const unsigned A = Keys[padded(Low)], B = Keys[padded(High)];
      if ((A > B) == ((Low & Size) == 0)) {
        Keys[padded(Low)] = B;
        Keys[padded(High)] = A;
      }
    }
  __syncthreads();
  for (int I = T; I < Each; I += Each / 2)
    Out[Base + I] = Keys[padded(I)];
}

int main() {
  const unsigned *In = input<unsigned>(Blocks * Each, ~0u);
  unsigned *Expected = output<unsigned>(Blocks * Each),
           *Out = output<unsigned>(Blocks * Each);
  Pair P("bitonic-sort-padded");
  P.same(Expected, Out, Blocks * Each);
  while (P.next())
    if (P.beforesTurn())
      before<<<Blocks, Each / 2>>>(In, Expected);
    else
      after<<<Blocks, Each / 2>>>(In, Out);
}

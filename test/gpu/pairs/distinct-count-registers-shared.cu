// Rule: cuda-memory-atomic-contention
// Registers of HyperLogLog, for an estimate of the distinct keys of a column:
// each key raises its register in global memory, or one of its block in shared
// memory, and blocks then merge theirs.
#include "Pair.cuh"

constexpr int Rows = 12000000, Registers = 4096, Blocks = 264, Threads = 512;

__device__ void rankOf(unsigned Key, int &Register, int &Rank) {
  const uint32_t Hash = mixed(Key);
  Register = Hash % Registers;
  Rank = __clz(Hash | (Registers - 1)) + 1;
}

__global__ void before(const unsigned *__restrict__ Keys, int *Sketch) {
  for (int I = blockIdx.x * Threads + threadIdx.x; I < Rows;
       I += Blocks * Threads) {
    int Register, Rank;
    rankOf(Keys[I], Register, Rank);
    atomicMax(&Sketch[Register], Rank);
  }
}

__global__ void after(const unsigned *__restrict__ Keys, int *Sketch) {
  __shared__ int Own[Registers];
  for (int R = threadIdx.x; R < Registers; R += Threads)
    Own[R] = 0;
  __syncthreads();
  for (int I = blockIdx.x * Threads + threadIdx.x; I < Rows;
       I += Blocks * Threads) {
    int Register, Rank;
    rankOf(Keys[I], Register, Rank);
    atomicMax(&Own[Register], Rank);
  }
  __syncthreads();
  for (int R = threadIdx.x; R < Registers; R += Threads)
    atomicMax(&Sketch[R], Own[R]);
}

int main() {
  const unsigned *Keys = input<unsigned>(Rows, 3000000);
  int *Expected = output<int>(Registers), *Out = output<int>(Registers);
  Pair P("distinct-count-registers-shared");
  P.same(Expected, Out, Registers);
  while (P.next())
    if (P.beforesTurn())
      before<<<Blocks, Threads>>>(Keys, Expected);
    else
      after<<<Blocks, Threads>>>(Keys, Out);
}

// Rule: cuda-memory-bank-conflict
// The best pairing of the letters of each of 4096 RNA sequences (Nussinov), a
// block a sequence: lanes go along the diagonals of a square in shared memory,
// whose rows are 64 words apart, or padded to 65.
#include "Pair.cuh"

constexpr int Sequences = 4096, Letters = 64, Loop = 3;

// A 0, C 1, G 2, U 3.
__device__ int bond(int A, int B) {
  if (A + B == 3)
    return A == 1 || A == 2 ? 3 : 2;
  return A + B == 5 ? 1 : -1000;
}

template <int Pitch>
__device__ __forceinline__ int folded(const uint8_t *Sequence, int *Score,
                                      int *Letter) {
  const int I = threadIdx.x;
  Letter[I] = Sequence[I];
  // Too close to pair.
  for (int D = 0; D <= Loop; ++D)
    if (I + D < Letters)
      Score[I * Pitch + I + D] = 0;
  __syncthreads();
  for (int D = Loop + 1; D < Letters; ++D) {
    const int J = I + D;
    if (J < Letters) {
      int Best = Score[(I + 1) * Pitch + J - 1] + bond(Letter[I], Letter[J]);
      for (int K = I; K < J; ++K)
        Best = max(Best, Score[I * Pitch + K] + Score[(K + 1) * Pitch + J]);
      Score[I * Pitch + J] = Best;
    }
    __syncthreads();
  }
  return Score[Letters - 1];
}

__global__ void before(const uint8_t *__restrict__ Sequence,
                       int *__restrict__ Best) {
  __shared__ int Score[Letters * 64], Letter[Letters];
  const int Whole =
      folded<64>(Sequence + blockIdx.x * Letters, Score, Letter);
  if (threadIdx.x == 0)
    Best[blockIdx.x] = Whole;
}

__global__ void after(const uint8_t *__restrict__ Sequence,
                      int *__restrict__ Best) {
  __shared__ int Score[Letters * 65], Letter[Letters];
  const int Whole =
      folded<65>(Sequence + blockIdx.x * Letters, Score, Letter);
  if (threadIdx.x == 0)
    Best[blockIdx.x] = Whole;
}

int main() {
  const uint8_t *Sequence = input<uint8_t>(Sequences * Letters, 4);
  int *Expected = output<int>(Sequences), *Out = output<int>(Sequences);
  Pair P("rna-pairing-diagonals-padded");
  P.same(Expected, Out, Sequences);
  while (P.next())
    if (P.beforesTurn())
      before<<<Sequences, Letters>>>(Sequence, Expected);
    else
      after<<<Sequences, Letters>>>(Sequence, Out);
}

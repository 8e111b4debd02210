// Rule: cuda-memory-uncoalesced-access
// A tensor of sequences of 16 heads of 64 numbers brought to the order in which
// each head's sequence lies together: numbers are copied straight, or by way of
// a tile in shared memory.
#include "Pair.cuh"

constexpr int Batch = 8, Length = 2048, Heads = 16, Dims = 64, Part = 16,
              Threads = 256;

// A block copies Part rows of one head of one sequence.
__global__ void before(const float *__restrict__ In, float *__restrict__ Out) {
  const int First = blockIdx.x * Part, H = blockIdx.y, B = blockIdx.z;
#pragma unroll
  for (int I = threadIdx.x; I < Part * Dims; I += Threads) {
    const int S = First + I / Dims, D = I % Dims;
    Out[((B * Heads + H) * Length + S) * Dims + D] =
        In[((B * Length + S) * Heads + H) * Dims + D];
  }
}

__global__ void after(const float *__restrict__ In, float *__restrict__ Out) {
  __shared__ float Tile[Part][Dims + 1];
  const int First = blockIdx.x * Part, H = blockIdx.y, B = blockIdx.z;
#pragma unroll
  for (int I = threadIdx.x; I < Part * Dims; I += Threads) {
    const int S = I / Dims, D = I % Dims;
    Tile[S][D] = In[((B * Length + First + S) * Heads + H) * Dims + D];
  }
  __syncthreads();
#pragma unroll
  for (int I = threadIdx.x; I < Part * Dims; I += Threads) {
    const int S = I / Dims, D = I % Dims;
    Out[((B * Heads + H) * Length + First + S) * Dims + D] = Tile[S][D];
  }
}

int main() {
  constexpr int Count = Batch * Length * Heads * Dims;
  const float *In = input<float>(Count);
  float *Expected = output<float>(Count), *Out = output<float>(Count);
  const dim3 Grid(Length / Part, Heads, Batch);
  Pair P("heads-permuted-staged");
  P.same(Expected, Out, Count);
  while (P.next())
    if (P.beforesTurn())
      before<<<Grid, Threads>>>(In, Expected);
    else
      after<<<Grid, Threads>>>(In, Out);
}

// Rule: cuda-memory-narrow-access
// Distances from a query to a million vectors, each held as sixteen codes of a
// product quantiser, by tables in shared memory: the codes of a vector are
// read a byte at a time or all sixteen at once.
#include "Pair.cuh"

constexpr int N = 1000003, Codes = 16, Centroids = 256, Blocks = 528;

__device__ void copyTables(float *To, const float *From) {
  for (int I = threadIdx.x; I < Codes * Centroids; I += blockDim.x)
    To[I] = From[I];
  __syncthreads();
}

__device__ float ofFour(const float *Table, unsigned Word) {
  return Table[Word & 255] + Table[Centroids + (Word >> 8 & 255)] +
         Table[2 * Centroids + (Word >> 16 & 255)] +
         Table[3 * Centroids + (Word >> 24)];
}

__global__ void before(const unsigned char *__restrict__ Coded,
                       const float *__restrict__ Tables,
                       float *__restrict__ Distance) {
  __shared__ float Table[Codes * Centroids];
  copyTables(Table, Tables);
  for (int I = blockIdx.x * blockDim.x + threadIdx.x; I < N;
       I += gridDim.x * blockDim.x) {
    float Sum = 0;
#pragma unroll
    for (int M = 0; M < Codes; ++M)
      Sum += Table[M * Centroids + Coded[I * Codes + M]];
    Distance[I] = Sum;
  }
}

__global__ void after(const uint4 *__restrict__ Coded,
                      const float *__restrict__ Tables,
                      float *__restrict__ Distance) {
  __shared__ float Table[Codes * Centroids];
  copyTables(Table, Tables);
  for (int I = blockIdx.x * blockDim.x + threadIdx.x; I < N;
       I += gridDim.x * blockDim.x) {
    const uint4 Word = Coded[I];
    Distance[I] =
        ofFour(Table, Word.x) + ofFour(Table + 4 * Centroids, Word.y) +
        ofFour(Table + 8 * Centroids, Word.z) +
        ofFour(Table + 12 * Centroids, Word.w);
  }
}

int main() {
  const unsigned char *Coded = input<unsigned char>(N * Codes, 256);
  const float *Tables = input<float>(Codes * Centroids);
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("product-quantiser-codes-uint4");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<Blocks, 256>>>(Coded, Tables, Expected);
    else
      after<<<Blocks, 256>>>((const uint4 *)Coded, Tables, Out);
}

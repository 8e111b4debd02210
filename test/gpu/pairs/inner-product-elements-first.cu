// Rule: cuda-memory-early-reduction
// The inner product of two vectors: a thread multiplies one pair of elements
// before its block sums up in shared memory, halving what is left each time, or
// sixteen pairs, the grid's width apart.
#include "Pair.cuh"

constexpr int N = 1 << 23, Block = 256, Each = 16;

__device__ void addOfBlock(float Mine, float *Total) {
  __shared__ float Sums[Block];
  Sums[threadIdx.x] = Mine;
  __syncthreads();
  for (int Left = Block / 2; Left > 0; Left /= 2) {
    if (threadIdx.x < Left)
      Sums[threadIdx.x] += Sums[threadIdx.x + Left];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    atomicAdd(Total, Sums[0]);
}

__global__ void before(const float *__restrict__ A, const float *__restrict__ B,
                       float *__restrict__ Total) {
  const int I = blockIdx.x * Block + threadIdx.x;
  addOfBlock(A[I] * B[I], Total);
}

__global__ void after(const float *__restrict__ A, const float *__restrict__ B,
                      float *__restrict__ Total) {
  float Mine = 0;
  for (int I = blockIdx.x * Block + threadIdx.x; I < N; I += gridDim.x * Block)
    Mine += A[I] * B[I];
  addOfBlock(Mine, Total);
}

int main() {
  const float *A = input<float>(N), *B = input<float>(N);
  float *Expected = output<float>(1), *Out = output<float>(1);
  Pair P("inner-product-elements-first");
  P.same(Expected, Out, 1);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / Block, Block>>>(A, B, Expected);
    else
      after<<<N / Block / Each, Block>>>(A, B, Out);
}

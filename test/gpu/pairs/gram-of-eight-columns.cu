// Rule: cuda-memory-missing-reuse
// Gram matrix of a tall matrix of eight columns, sums per block: a block for
// each of 36 pairs of columns reads both, or one block reads all eight once and
// keeps 36 sums in registers.
#include "Pair.cuh"

constexpr int Rows = 1 << 20, Columns = 8, Pairs = Columns * (Columns + 1) / 2;
constexpr int Blocks = 264, Block = 256;

__device__ float sumOfBlock(float Value, float *Partial) {
  for (int Off = 16; Off > 0; Off /= 2)
    Value += __shfl_down_sync(~0u, Value, Off);
  if (threadIdx.x % 32 == 0)
    Partial[threadIdx.x / 32] = Value;
  __syncthreads();
  float Sum = 0;
  if (threadIdx.x == 0)
    for (int W = 0; W < Block / 32; ++W)
      Sum += Partial[W];
  __syncthreads();
  return Sum;
}

__global__ void before(const float *__restrict__ A, float *__restrict__ Sums,
                       int RowCount) {
  __shared__ float Partial[Block / 32];
  int Left = 0, Rest = blockIdx.y;
  while (Rest >= Columns - Left)
    Rest -= Columns - Left++;
  const float *L = A + size_t(Left) * RowCount,
              *R = A + size_t(Left + Rest) * RowCount;
  float Sum = 0;
  for (int I = blockIdx.x * Block + threadIdx.x; I < RowCount;
       I += gridDim.x * Block)
    Sum += L[I] * R[I];
  Sum = sumOfBlock(Sum, Partial);
  if (threadIdx.x == 0)
    Sums[blockIdx.y * gridDim.x + blockIdx.x] = Sum;
}

__global__ void after(const float *__restrict__ A, float *__restrict__ Sums,
                      int RowCount) {
  __shared__ float Partial[Block / 32];
  float Sum[Pairs] = {};
  for (int I = blockIdx.x * Block + threadIdx.x; I < RowCount;
       I += gridDim.x * Block) {
    float Value[Columns];
#pragma unroll
    for (int C = 0; C < Columns; ++C)
      Value[C] = A[size_t(C) * RowCount + I];
    int At = 0;
#pragma unroll
    for (int L = 0; L < Columns; ++L)
#pragma unroll
      for (int R = L; R < Columns; ++R)
        Sum[At++] += Value[L] * Value[R];
  }
#pragma unroll
  for (int Q = 0; Q < Pairs; ++Q) {
    const float All = sumOfBlock(Sum[Q], Partial);
    if (threadIdx.x == 0)
      Sums[Q * gridDim.x + blockIdx.x] = All;
  }
}

int main() {
  const float *A = input<float>(size_t(Columns) * Rows);
  float *Expected = output<float>(Pairs * Blocks),
        *Out = output<float>(Pairs * Blocks);
  Pair P("gram-of-eight-columns");
  P.same(Expected, Out, Pairs * Blocks);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Blocks, Pairs), Block>>>(A, Expected, Rows);
    else
      after<<<Blocks, Block>>>(A, Out, Rows);
}

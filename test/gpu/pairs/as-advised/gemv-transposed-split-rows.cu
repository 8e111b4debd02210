// Rule: cuda-memory-few-warps
// A vector times a matrix of 8192 rows of 4096 columns: a thread adds up a
// whole column. As advised, sixteen threads share the rows of a column, along
// an axis of the grid, and add what they find to the result by atomics.
#include "../Pair.cuh"

constexpr int Rows = 8192, Columns = 4096, Threads = 128, Parts = 16;

__global__ void before(const float *__restrict__ A, const float *__restrict__ X,
                       float *__restrict__ Y, int Rows) {
  const int C = blockIdx.x * Threads + threadIdx.x;
  float Sum = 0;
  for (int R = 0; R < Rows; ++R)
    Sum += X[R] * A[size_t(R) * Columns + C];
  Y[C] += Sum;
}

__global__ void after(const float *__restrict__ A, const float *__restrict__ X,
                      float *__restrict__ Y, int Rows) {
  const int C = blockIdx.x * Threads + threadIdx.x;
  const int Each = Rows / Parts, First = blockIdx.y * Each;
  float Sum = 0;
  for (int R = First; R < First + Each; ++R)
    Sum += X[R] * A[size_t(R) * Columns + C];
  atomicAdd(Y + C, Sum);
}

int main() {
  const float *A = input<float>(size_t(Rows) * Columns);
  const float *X = input<float>(Rows);
  float *Expected = output<float>(Columns), *Out = output<float>(Columns);
  Pair P("gemv-transposed-split-rows-as-advised");
  P.same(Expected, Out, Columns);
  while (P.next())
    if (P.beforesTurn())
      before<<<Columns / Threads, Threads>>>(A, X, Expected, Rows);
    else
      after<<<dim3(Columns / Threads, Parts), Threads>>>(A, X, Out, Rows);
}

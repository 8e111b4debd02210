// Rule: cuda-memory-missing-restrict
// A += x y', sixteen rows a thread. As the matrix might overlap with the
// vectors, no load passes a store, and a row's y is read for each row.
#include "Pair.cuh"

constexpr int Rows = 2048, Columns = 4096, Each = 16;

__global__ void before(const float *X, const float *Y, float *A) {
  const int C = blockIdx.x * 128 + threadIdx.x, First = blockIdx.y * Each;
#pragma unroll
  for (int R = First; R < First + Each; ++R)
    A[R * Columns + C] += X[R] * Y[C];
}

__global__ void after(const float *__restrict__ X, const float *__restrict__ Y,
                      float *__restrict__ A) {
  const int C = blockIdx.x * 128 + threadIdx.x, First = blockIdx.y * Each;
#pragma unroll
  for (int R = First; R < First + Each; ++R)
    A[R * Columns + C] += X[R] * Y[C];
}

int main() {
  const float *X = input<float>(Rows), *Y = input<float>(Columns);
  float *Expected = output<float>(Rows * Columns),
        *Out = output<float>(Rows * Columns);
  Pair P("rank-one-update-restrict");
  P.same(Expected, Out, Rows * Columns);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Columns / 128, Rows / Each), 128>>>(X, Y, Expected);
    else
      after<<<dim3(Columns / 128, Rows / Each), 128>>>(X, Y, Out);
}

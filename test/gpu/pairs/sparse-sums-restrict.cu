// Rule: cuda-memory-missing-restrict
// A sparse matrix of eleven diagonals times a vector: each product is added to
// the result in memory, which might be what is loaded next; or is not.
#include "Pair.cuh"

constexpr int N = 1 << 18, Diagonals = 11, Reach = 600;

__global__ void before(const float *Values, const int *Offsets, const float *X,
                       float *Y) {
  const int Row = blockIdx.x * blockDim.x + threadIdx.x;
  Y[Row] = 0;
  for (int D = 0; D < Diagonals; ++D)
    Y[Row] += Values[D * N + Row] * X[Row + Reach + Offsets[D]];
}

__global__ void after(const float *__restrict__ Values,
                      const int *__restrict__ Offsets,
                      const float *__restrict__ X, float *__restrict__ Y) {
  const int Row = blockIdx.x * blockDim.x + threadIdx.x;
  Y[Row] = 0;
  for (int D = 0; D < Diagonals; ++D)
    Y[Row] += Values[D * N + Row] * X[Row + Reach + Offsets[D]];
}

int main() {
  const int *Offsets =
      onDevice<int>({-600, -512, -33, -32, -1, 0, 1, 32, 33, 512, 600});
  const float *Values = input<float>(N * Diagonals),
              *X = input<float>(N + 2 * Reach);
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("sparse-sums-restrict");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 128, 128>>>(Values, Offsets, X, Expected);
    else
      after<<<N / 128, 128>>>(Values, Offsets, X, Out);
}

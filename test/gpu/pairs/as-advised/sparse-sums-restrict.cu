// Rule: cuda-memory-redundant-round-trip
// A sparse matrix of eleven diagonals times a vector: each product is added to
// the result in memory; as advised, to a variable that is stored after the
// loop.
#include "../Pair.cuh"

constexpr int N = 1 << 18, Diagonals = 11, Reach = 600;

__global__ void before(const float *Values, const int *Offsets, const float *X,
                       float *Y) {
  const int Row = blockIdx.x * blockDim.x + threadIdx.x;
  Y[Row] = 0;
  for (int D = 0; D < Diagonals; ++D)
    Y[Row] += Values[D * N + Row] * X[Row + Reach + Offsets[D]];
}

__global__ void after(const float *Values, const int *Offsets, const float *X,
                      float *Y) {
  const int Row = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum = 0;
  for (int D = 0; D < Diagonals; ++D)
    Sum += Values[D * N + Row] * X[Row + Reach + Offsets[D]];
  Y[Row] = Sum;
}

int main() {
  const int *Offsets =
      onDevice<int>({-600, -512, -33, -32, -1, 0, 1, 32, 33, 512, 600});
  const float *Values = input<float>(N * Diagonals),
              *X = input<float>(N + 2 * Reach);
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("sparse-sums-restrict-as-advised");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 128, 128>>>(Values, Offsets, X, Expected);
    else
      after<<<N / 128, 128>>>(Values, Offsets, X, Out);
}

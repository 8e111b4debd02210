// Rule: cuda-memory-scalar-to-vector
// Eight bytes per thread are near the peak already.
#include "Pair.cuh"

constexpr int N = 1 << 24;

__global__ void before(const double *X, const double *Y, double *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = 3 * X[I] + Y[I];
}

__global__ void after(const double2 *X, const double2 *Y, double2 *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const double2 A = X[I], B = Y[I];
  Out[I] = make_double2(3 * A.x + B.x, 3 * A.y + B.y);
}

int main() {
  const double *X = input<double>(N), *Y = input<double>(N);
  double *Expected = output<double>(N), *Out = output<double>(N);
  Pair P("double-to-double2");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(X, Y, Expected);
    else
      after<<<N / 512, 256>>>((const double2 *)X, (const double2 *)Y,
                              (double2 *)Out);
}

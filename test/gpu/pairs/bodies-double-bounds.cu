// Rule: cuda-memory-register-spill
// Forces between bodies in double precision, with bounds that leave 40
// registers for each thread or none: they are enough.
#include "Pair.cuh"

constexpr int N = 8192;

__device__ void pull(const double *X, const double *Y, const double *Mass,
                     double *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const double MyX = X[I], MyY = Y[I];
  double Force = 0;
#pragma unroll 1
  for (int J = 0; J < N; ++J) {
    const double DX = X[J] - MyX, DY = Y[J] - MyY;
    Force += Mass[J] * DX / (DX * DX + DY * DY + 0.01);
  }
  Out[I] = Force;
}

__global__ void __launch_bounds__(128, 12)
    before(const double *X, const double *Y, const double *Mass, double *Out) {
  pull(X, Y, Mass, Out);
}

__global__ void __launch_bounds__(128)
    after(const double *X, const double *Y, const double *Mass, double *Out) {
  pull(X, Y, Mass, Out);
}

int main() {
  const double *X = input<double>(N), *Y = input<double>(N + 1) + 1,
               *Mass = input<double>(N);
  double *Expected = output<double>(N), *Out = output<double>(N);
  Pair P("bodies-double-bounds");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 128, 128>>>(X, Y, Mass, Expected);
    else
      after<<<N / 128, 128>>>(X, Y, Mass, Out);
}

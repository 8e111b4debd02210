// Rule: cuda-memory-single-result
// Five points of doubles: five loads for a result, or 14 for four in a column.
#include "Pair.cuh"

constexpr int N = 1024, Odd = N + 2;

__global__ void before(const double *In, double *Out) {
  const int X = blockIdx.x * 64 + threadIdx.x, Y = blockIdx.y * 4 + threadIdx.y;
  const double *At = In + (Y + 1) * Odd + X + 1;
  Out[Y * N + X] = At[-Odd] + At[Odd] + At[-1] + At[1] - 4 * At[0];
}

__global__ void after(const double *In, double *Out) {
  const int X = blockIdx.x * 64 + threadIdx.x;
  const int Y = (blockIdx.y * 4 + threadIdx.y) * 4;
  double Column[6];
#pragma unroll
  for (int I = 0; I < 6; ++I)
    Column[I] = In[(Y + I) * Odd + X + 1];
#pragma unroll
  for (int I = 0; I < 4; ++I) {
    const double *At = In + (Y + I + 1) * Odd + X + 1;
    Out[(Y + I) * N + X] =
        Column[I] + Column[I + 2] + At[-1] + At[1] - 4 * Column[I + 1];
  }
}

int main() {
  const double *In = input<double>(Odd * Odd);
  double *Expected = output<double>(N * N), *Out = output<double>(N * N);
  Pair P("laplace-rows-of-four");
  P.same(Expected, Out, N * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(N / 64, N / 4), dim3(64, 4)>>>(In, Expected);
    else
      after<<<dim3(N / 64, N / 16), dim3(64, 4)>>>(In, Out);
}

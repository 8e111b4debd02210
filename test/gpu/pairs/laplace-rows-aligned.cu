// Rule: cuda-memory-misaligned
// Five points of doubles with a border of one, or with the first inner column
// at the start of a line: the neighbours to the left and right are off anyway.
#include "Pair.cuh"

constexpr int N = 1024, Odd = N + 2, Even = N + 32;

__global__ void before(const double *In, double *Out) {
  const int X = blockIdx.x * 64 + threadIdx.x, Y = blockIdx.y * 4 + threadIdx.y;
  const double *At = In + (Y + 1) * Odd + X + 1;
  Out[Y * N + X] = At[-Odd] + At[Odd] + At[-1] + At[1] - 4 * At[0];
}

__global__ void after(const double *In, double *Out) {
  const int X = blockIdx.x * 64 + threadIdx.x, Y = blockIdx.y * 4 + threadIdx.y;
  const double *At = In + (Y + 1) * Even + X + 16;
  Out[Y * N + X] = At[-Even] + At[Even] + At[-1] + At[1] - 4 * At[0];
}

int main() {
  const double *In = input<double>(Odd * Odd);
  const double *Wide = arranged(In, Odd * Odd, Even * Odd, [](size_t I) {
    const size_t X = std::clamp<size_t>(I % Even, 15, 15 + Odd - 1) - 15;
    return I / Even * Odd + X;
  });
  double *Expected = output<double>(N * N), *Out = output<double>(N * N);
  Pair P("laplace-rows-aligned");
  P.same(Expected, Out, N * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(N / 64, N / 4), dim3(64, 4)>>>(In, Expected);
    else
      after<<<dim3(N / 64, N / 4), dim3(64, 4)>>>(Wide, Out);
}

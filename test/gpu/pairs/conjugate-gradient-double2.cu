// Rule: cuda-memory-scalar-to-vector
// A step of conjugate gradients: solution and residual go along two vectors of
// doubles, one element a thread or two.
#include "Pair.cuh"

constexpr int N = 1 << 22;

__global__ void before(double *X, double *R, const double *P, const double *Q,
                       double Step) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  X[I] += Step * P[I];
  R[I] -= Step * Q[I];
}

__global__ void after(double2 *X, double2 *R, const double2 *P,
                      const double2 *Q, double Step) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  double2 A = X[I], B = R[I];
  const double2 C = P[I], D = Q[I];
  A.x += Step * C.x;
  A.y += Step * C.y;
  B.x -= Step * D.x;
  B.y -= Step * D.y;
  X[I] = A;
  R[I] = B;
}

int main() {
  const double *Along = input<double>(2 * N), *Q = Along + N;
  double *Expected = output<double>(2 * N), *Out = output<double>(2 * N);
  Pair P("conjugate-gradient-double2");
  P.same(Expected, Out, 2 * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(Expected, Expected + N, Along, Q, 0.125);
    else
      after<<<N / 512, 256>>>((double2 *)Out, (double2 *)(Out + N),
                              (const double2 *)Along, (const double2 *)Q,
                              0.125);
}

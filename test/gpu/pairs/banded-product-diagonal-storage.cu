// Rule: cuda-memory-uncoalesced-access
// A banded matrix of doubles, 4 diagonals below and 8 above, times a vector, a
// thread for each row: from the columns of LAPACK's band storage, or from
// diagonals that are contiguous each.
#include "Pair.cuh"

constexpr int N = 1000000, Lower = 4, Upper = 8, Leading = Lower + Upper + 1;

__global__ void before(const double *__restrict__ Band,
                       const double *__restrict__ X, double *__restrict__ Y) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= N)
    return;
  const int First = max(I - Lower, 0), Last = min(I + Upper, N - 1);
  double Sum = 0;
  for (int J = First; J <= Last; ++J)
    Sum += Band[J * Leading + Upper + I - J] * X[J];
  Y[I] = Sum;
}

__global__ void after(const double *__restrict__ Diagonals,
                      const double *__restrict__ X, double *__restrict__ Y) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= N)
    return;
  const int First = max(I - Lower, 0), Last = min(I + Upper, N - 1);
  double Sum = 0;
  for (int J = First; J <= Last; ++J)
    Sum += Diagonals[(Upper + I - J) * N + J] * X[J];
  Y[I] = Sum;
}

int main() {
  const double *Band = input<double>(size_t(N) * Leading),
               *X = input<double>(N);
  const double *Diagonals =
      arranged(Band, size_t(N) * Leading, size_t(N) * Leading,
               [](size_t K) { return K % N * Leading + K / N; });
  double *Expected = output<double>(N), *Out = output<double>(N);
  Pair P("banded-product-diagonal-storage");
  P.same(Expected, Out, N);
  const int Blocks = (N + 191) / 192;
  while (P.next())
    if (P.beforesTurn())
      before<<<Blocks, 192>>>(Band, X, Expected);
    else
      after<<<Blocks, 192>>>(Diagonals, X, Out);
}

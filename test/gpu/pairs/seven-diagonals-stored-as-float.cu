// Rule: cuda-memory-scalar-stream
// Residual and its norm of a seven-point operator kept by diagonals, as inside
// a pressure solver: vectors in double, coefficients in double or in float.
#include "Pair.cuh"

constexpr int NX = 192, NY = 128, NZ = 128, N = NX * NY * NZ;
constexpr int Ghost = NX * NY, Threads = 256;

template <class Coefficient>
__device__ void residual(const Coefficient *__restrict__ A,
                         const double *__restrict__ X,
                         const double *__restrict__ B, double *__restrict__ R,
                         double *__restrict__ Norms) {
  __shared__ double Parts[Threads / 32];
  double Square = 0;
  for (int I = blockIdx.x * Threads + threadIdx.x; I < N;
       I += gridDim.x * Threads) {
    const double *Here = X + Ghost + I;
    double Sum = B[I];
    Sum -= double(A[0 * N + I]) * Here[-NX * NY];
    Sum -= double(A[1 * N + I]) * Here[-NX];
    Sum -= double(A[2 * N + I]) * Here[-1];
    Sum -= double(A[3 * N + I]) * Here[0];
    Sum -= double(A[4 * N + I]) * Here[1];
    Sum -= double(A[5 * N + I]) * Here[NX];
    Sum -= double(A[6 * N + I]) * Here[NX * NY];
    R[I] = Sum;
    Square += Sum * Sum;
  }
  for (int D = 16; D; D /= 2)
    Square += __shfl_down_sync(~0u, Square, D);
  if (threadIdx.x % 32 == 0)
    Parts[threadIdx.x / 32] = Square;
  __syncthreads();
  if (threadIdx.x)
    return;
  for (int W = 1; W < Threads / 32; ++W)
    Square += Parts[W];
  Norms[blockIdx.x] = Square;
}

__global__ void before(const double *A, const double *X, const double *B,
                       double *R, double *Norms) {
  residual(A, X, B, R, Norms);
}

__global__ void after(const float *A, const double *X, const double *B,
                      double *R, double *Norms) {
  residual(A, X, B, R, Norms);
}

int main() {
  constexpr int Blocks = 1056;
  const double *A = input<double>(size_t(7) * N);
  const std::vector<double> Exact = onHost(A, size_t(7) * N);
  const float *Narrow =
      onDevice(std::vector<float>(Exact.begin(), Exact.end()));
  const double *X = input<double>(N + 2 * Ghost), *B = input<double>(N);
  double *Expected = output<double>(N), *Out = output<double>(N);
  double *OldNorms = output<double>(Blocks), *Norms = output<double>(Blocks);
  Pair P("seven-diagonals-stored-as-float");
  P.same(Expected, Out, N);
  P.same(OldNorms, Norms, Blocks);
  while (P.next())
    if (P.beforesTurn())
      before<<<Blocks, Threads>>>(A, X, B, Expected, OldNorms);
    else
      after<<<Blocks, Threads>>>(Narrow, X, B, Out, Norms);
}

// Rule: cuda-memory-local-array
// Systems of four equations of doubles with pivoting, one a thread: the pivot
// row is indexed by what the search found, or rows are exchanged by selection
// with indices that are known.
#include "Pair.cuh"

constexpr int N = 1 << 17;

template <class F>
__device__ void solve(const double *In, double *Out, F Swap) {
  const int T = blockIdx.x * blockDim.x + threadIdx.x;
  double A[4][5];
#pragma unroll
  for (int I = 0; I < 20; ++I)
    A[I / 5][I % 5] = In[I * N + T] - 0.5;
#pragma unroll
  for (int K = 0; K < 4; ++K) {
    Swap(A, K);
#pragma unroll
    for (int R = K + 1; R < 4; ++R) {
      const double Factor = A[R][K] / A[K][K];
#pragma unroll
      for (int C = K + 1; C < 5; ++C)
        A[R][C] -= Factor * A[K][C];
    }
  }
#pragma unroll
  for (int K = 3; K >= 0; --K) {
    double Sum = A[K][4];
#pragma unroll
    for (int C = K + 1; C < 4; ++C)
      Sum -= A[K][C] * A[C][4];
    A[K][4] = Sum / A[K][K];
    Out[K * N + T] = A[K][4];
  }
}

__global__ void before(const double *In, double *Out) {
  solve(In, Out, [](double(&A)[4][5], int K) {
    int Pivot = K;
    for (int R = K + 1; R < 4; ++R)
      if (fabs(A[R][K]) > fabs(A[Pivot][K]))
        Pivot = R;
    for (int C = K; C < 5; ++C) {
      const double Old = A[K][C];
      A[K][C] = A[Pivot][C];
      A[Pivot][C] = Old;
    }
  });
}

__global__ void after(const double *In, double *Out) {
  solve(In, Out, [](double(&A)[4][5], int K) {
#pragma unroll
    for (int R = K + 1; R < 4; ++R) {
      const bool Larger = fabs(A[R][K]) > fabs(A[K][K]);
#pragma unroll
      for (int C = K; C < 5; ++C) {
        const double Old = A[K][C];
        A[K][C] = Larger ? A[R][C] : Old;
        A[R][C] = Larger ? Old : A[R][C];
      }
    }
  });
}

int main() {
  const double *In = input<double>(20 * N);
  double *Expected = output<double>(4 * N), *Out = output<double>(4 * N);
  Pair P("pivots-by-selection");
  P.same(Expected, Out, 4 * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 128, 128>>>(In, Expected);
    else
      after<<<N / 128, 128>>>(In, Out);
}

// Rule: cuda-memory-local-array
// Normal equations of six unknowns, one system a thread. With the size known
// at run time the factor lies in local memory, else in registers.
#include "Pair.cuh"

constexpr int Systems = 1 << 18, Size = 6, Entries = 21;

__device__ constexpr int packed(int R, int C) { return R * (R + 1) / 2 + C; }

__global__ void before(const float *Matrix, const float *Right, float *X,
                       int N) {
  const int S = blockIdx.x * 128 + threadIdx.x;
  float L[Entries], Y[Size];
  for (int R = 0; R < N; ++R) {
    for (int C = 0; C <= R; ++C) {
      float Sum = Matrix[packed(R, C) * Systems + S] + (R == C ? N : 0);
      for (int K = 0; K < C; ++K)
        Sum -= L[packed(R, K)] * L[packed(C, K)];
      L[packed(R, C)] = R == C ? rsqrtf(Sum) : Sum * L[packed(C, C)];
    }
    float Sum = Right[R * Systems + S];
    for (int K = 0; K < R; ++K)
      Sum -= L[packed(R, K)] * Y[K];
    Y[R] = Sum * L[packed(R, R)];
  }
  for (int R = N - 1; R >= 0; --R) {
    float Sum = Y[R];
    for (int K = R + 1; K < N; ++K)
      Sum -= L[packed(K, R)] * Y[K];
    Y[R] = Sum * L[packed(R, R)];
    X[R * Systems + S] = Y[R];
  }
}

__global__ void after(const float *Matrix, const float *Right, float *X) {
  const int S = blockIdx.x * 128 + threadIdx.x;
  float L[Entries], Y[Size];
#pragma unroll
  for (int R = 0; R < Size; ++R) {
#pragma unroll
    for (int C = 0; C <= R; ++C) {
      float Sum = Matrix[packed(R, C) * Systems + S] + (R == C ? Size : 0);
#pragma unroll
      for (int K = 0; K < C; ++K)
        Sum -= L[packed(R, K)] * L[packed(C, K)];
      L[packed(R, C)] = R == C ? rsqrtf(Sum) : Sum * L[packed(C, C)];
    }
    float Sum = Right[R * Systems + S];
#pragma unroll
    for (int K = 0; K < R; ++K)
      Sum -= L[packed(R, K)] * Y[K];
    Y[R] = Sum * L[packed(R, R)];
  }
#pragma unroll
  for (int R = Size - 1; R >= 0; --R) {
    float Sum = Y[R];
#pragma unroll
    for (int K = R + 1; K < Size; ++K)
      Sum -= L[packed(K, R)] * Y[K];
    Y[R] = Sum * L[packed(R, R)];
    X[R * Systems + S] = Y[R];
  }
}

int main() {
  const float *Matrix = input<float>(Entries * Systems),
              *Right = input<float>(Size * Systems);
  float *Expected = output<float>(Size * Systems),
        *Out = output<float>(Size * Systems);
  Pair P("cholesky-6x6-unrolled");
  P.same(Expected, Out, Size * Systems);
  while (P.next())
    if (P.beforesTurn())
      before<<<Systems / 128, 128>>>(Matrix, Right, Expected, Size);
    else
      after<<<Systems / 128, 128>>>(Matrix, Right, Out);
}

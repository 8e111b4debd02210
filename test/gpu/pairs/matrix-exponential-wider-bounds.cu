// Rule: cuda-memory-register-spill
// Exponentials of 4x4 rate matrices in double precision, by 16 terms of the
// series, a matrix per thread: launch bounds that ask for twelve blocks of 128
// leave 40 registers and spill; those that ask for three do not.
#include "Pair.cuh"

constexpr int Matrices = 1 << 17, Terms = 16;

__device__ __forceinline__ void exponential(const double *__restrict__ In,
                                            double *__restrict__ Out,
                                            double Time, int Count, int I) {
  double A[16], Term[16], Sum[16];
#pragma unroll
  for (int E = 0; E < 16; ++E) {
    A[E] = In[size_t(E) * Count + I] * Time;
    Term[E] = A[E];
    Sum[E] = A[E] + (E % 5 == 0 ? 1.0 : 0.0);
  }
#pragma unroll 1
  for (int T = 2; T <= Terms; ++T) {
    const double Scale = 1.0 / T;
#pragma unroll
    for (int R = 0; R < 4; ++R) {
      double Row[4];
#pragma unroll
      for (int C = 0; C < 4; ++C) {
        double Dot = 0;
#pragma unroll
        for (int K = 0; K < 4; ++K)
          Dot += Term[R * 4 + K] * A[K * 4 + C];
        Row[C] = Dot * Scale;
      }
#pragma unroll
      for (int C = 0; C < 4; ++C) {
        Term[R * 4 + C] = Row[C];
        Sum[R * 4 + C] += Row[C];
      }
    }
  }
#pragma unroll
  for (int E = 0; E < 16; ++E)
    Out[size_t(E) * Count + I] = Sum[E];
}

__global__ void __launch_bounds__(128, 12)
    before(const double *__restrict__ In, double *__restrict__ Out,
           double Time, int Count) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < Count)
    exponential(In, Out, Time, Count, I);
}

__global__ void __launch_bounds__(128, 3)
    after(const double *__restrict__ In, double *__restrict__ Out, double Time,
          int Count) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < Count)
    exponential(In, Out, Time, Count, I);
}

int main() {
  constexpr size_t Count = size_t(16) * Matrices;
  const double *In = input<double>(Count);
  double *Expected = output<double>(Count), *Out = output<double>(Count);
  Pair P("matrix-exponential-wider-bounds");
  P.same(Expected, Out, Count);
  while (P.next())
    if (P.beforesTurn())
      before<<<Matrices / 128, 128>>>(In, Expected, 0.5, Matrices);
    else
      after<<<Matrices / 128, 128>>>(In, Out, 0.5, Matrices);
}

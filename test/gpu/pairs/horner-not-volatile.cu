// Rule: cuda-memory-missing-restrict
// A polynomial of 32 coefficients at two million places: the coefficients, in
// global memory, are declared volatile, for no reason, or are not.
#include "Pair.cuh"

constexpr int N = 1 << 21, Terms = 32;

__global__ void before(const float *In, const volatile float *Coefficient,
                       float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const float X = In[I];
  float Sum = 0;
#pragma unroll
  for (int T = 0; T < Terms; ++T)
    Sum = Sum * X + Coefficient[T];
  Out[I] = Sum;
}

__global__ void after(const float *In, const float *Coefficient, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const float X = In[I];
  float Sum = 0;
#pragma unroll
  for (int T = 0; T < Terms; ++T)
    Sum = Sum * X + Coefficient[T];
  Out[I] = Sum;
}

int main() {
  const float *In = input<float>(N), *Coefficient = input<float>(Terms);
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("horner-not-volatile");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(In, Coefficient, Expected);
    else
      after<<<N / 256, 256>>>(In, Coefficient, Out);
}

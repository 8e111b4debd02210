// Rule: cuda-memory-missing-restrict
// A polynomial of eleven coefficients, evaluated for sixteen numbers a thread.
#include "Pair.cuh"

constexpr int Threads = 1 << 17, Each = 16, Degree = 10;

__global__ void before(const double *C, const double *In, double *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  for (int J = 0; J < Each; ++J) {
    const double X = In[J * Threads + I];
    double Sum = C[Degree];
    for (int K = Degree; K-- > 0;)
      Sum = Sum * X + C[K];
    Out[J * Threads + I] = Sum;
  }
}

__global__ void after(const double *__restrict__ C,
                      const double *__restrict__ In, double *__restrict__ Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  for (int J = 0; J < Each; ++J) {
    const double X = In[J * Threads + I];
    double Sum = C[Degree];
    for (int K = Degree; K-- > 0;)
      Sum = Sum * X + C[K];
    Out[J * Threads + I] = Sum;
  }
}

int main() {
  const double *C = input<double>(Degree + 1),
               *In = input<double>(Threads * Each);
  double *Expected = output<double>(Threads * Each),
         *Out = output<double>(Threads * Each);
  Pair P("restrict-horner");
  P.same(Expected, Out, Threads * Each);
  while (P.next())
    if (P.beforesTurn())
      before<<<Threads / 256, 256>>>(C, In, Expected);
    else
      after<<<Threads / 256, 256>>>(C, In, Out);
}

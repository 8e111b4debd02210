// Rule: cuda-memory-bank-conflict
// Hermite expansion coefficients of products of two Gaussians (McMurchie and
// Davidson), raised in a scratch of eight doubles a thread in shared memory:
// thread after thread or slot after slot.
#include "Pair.cuh"

constexpr int N = 1 << 19, Threads = 128, Slots = 8;

__global__ void before(const double *__restrict__ Half,
                       const double *__restrict__ ToA,
                       const double *__restrict__ ToB, double *__restrict__ Out,
                       int OrderA, int OrderB) {
  __shared__ double E[Threads][Slots];
  const int I = blockIdx.x * Threads + threadIdx.x, Me = threadIdx.x;
  const double H = Half[I], A = ToA[I], B = ToB[I];
  for (int T = 0; T < Slots; ++T)
    E[Me][T] = T == 0;
  for (int Order = 1; Order <= OrderA + OrderB; ++Order) {
    const double X = Order <= OrderA ? A : B;
    double Lower = 0;
    for (int T = 0; T <= Order; ++T) {
      const double Old = E[Me][T];
      E[Me][T] = H * Lower + X * Old + (T + 1) * E[Me][T + 1];
      Lower = Old;
    }
  }
  for (int T = 0; T <= OrderA + OrderB; ++T)
    Out[T * N + I] = E[Me][T];
}

__global__ void after(const double *__restrict__ Half,
                      const double *__restrict__ ToA,
                      const double *__restrict__ ToB, double *__restrict__ Out,
                      int OrderA, int OrderB) {
  __shared__ double E[Slots][Threads];
  const int I = blockIdx.x * Threads + threadIdx.x, Me = threadIdx.x;
  const double H = Half[I], A = ToA[I], B = ToB[I];
  for (int T = 0; T < Slots; ++T)
    E[T][Me] = T == 0;
  for (int Order = 1; Order <= OrderA + OrderB; ++Order) {
    const double X = Order <= OrderA ? A : B;
    double Lower = 0;
    for (int T = 0; T <= Order; ++T) {
      const double Old = E[T][Me];
      E[T][Me] = H * Lower + X * Old + (T + 1) * E[T + 1][Me];
      Lower = Old;
    }
  }
  for (int T = 0; T <= OrderA + OrderB; ++T)
    Out[T * N + I] = E[T][Me];
}

int main() {
  const int OrderA = 3, OrderB = 3, Results = (OrderA + OrderB + 1) * N;
  const double *Data = input<double>(3 * N);
  double *Expected = output<double>(Results), *Out = output<double>(Results);
  Pair P("hermite-expansion-slots-by-lane");
  P.same(Expected, Out, Results);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / Threads, Threads>>>(Data, Data + N, Data + 2 * N, Expected,
                                       OrderA, OrderB);
    else
      after<<<N / Threads, Threads>>>(Data, Data + N, Data + 2 * N, Out, OrderA,
                                      OrderB);
}

// Rule: cuda-memory-atomic-contention
// Real and reactive power of half a million meters added up, in doubles, at the
// transformers that feed them: by a loop of compare-and-swap, as before
// compute capability 6.0, or by the atomic addition of doubles.
#include "Pair.cuh"

constexpr int Meters = 1 << 19, Transformers = 1 << 15, Block = 256;

__device__ void addBySwaps(double *Sum, double Value) {
  auto *Bits = reinterpret_cast<unsigned long long *>(Sum);
  unsigned long long Old = *Bits, Assumed;
  do {
    Assumed = Old;
    const double Next = __longlong_as_double(Assumed) + Value;
    Old = atomicCAS(Bits, Assumed, __double_as_longlong(Next));
  } while (Old != Assumed);
}

__global__ void before(const float *__restrict__ Current,
                       const float *__restrict__ Angle,
                       const int *__restrict__ FedBy, double *Real,
                       double *Reactive) {
  const int I = blockIdx.x * Block + threadIdx.x;
  float Sine, Cosine;
  __sincosf(Angle[I], &Sine, &Cosine);
  const float Apparent = 0.23f * Current[I];
  const int T = FedBy[I];
  addBySwaps(Real + T, Apparent * Cosine);
  addBySwaps(Reactive + T, Apparent * Sine);
}

__global__ void after(const float *__restrict__ Current,
                      const float *__restrict__ Angle,
                      const int *__restrict__ FedBy, double *Real,
                      double *Reactive) {
  const int I = blockIdx.x * Block + threadIdx.x;
  float Sine, Cosine;
  __sincosf(Angle[I], &Sine, &Cosine);
  const float Apparent = 0.23f * Current[I];
  const int T = FedBy[I];
  atomicAdd(Real + T, double(Apparent * Cosine));
  atomicAdd(Reactive + T, double(Apparent * Sine));
}

int main() {
  const float *Current = input<float>(Meters), *Angle = input<float>(Meters);
  const int *FedBy = input<int>(Meters, Transformers);
  double *Expected = output<double>(2 * Transformers),
         *Out = output<double>(2 * Transformers);
  Pair P("feeder-loads-native-atomic");
  P.same(Expected, Out, 2 * Transformers);
  while (P.next())
    if (P.beforesTurn())
      before<<<Meters / Block, Block>>>(Current, Angle, FedBy, Expected,
                                        Expected + Transformers);
    else
      after<<<Meters / Block, Block>>>(Current, Angle, FedBy, Out,
                                       Out + Transformers);
}

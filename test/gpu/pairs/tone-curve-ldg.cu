// Rule: cuda-memory-missing-restrict
// Raw samples go through a curve of 1024 numbers: plain pointers, or those that
// promise read-only data.
// Options: --buffer=Raw=random,count=8388608,below=1024
#include "Pair.cuh"

constexpr int N = 1 << 23;

__global__ void before(const unsigned short *Raw, const float *Curve, float Gain,
                       float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = Gain * Curve[Raw[I]];
}

__global__ void after(const unsigned short *__restrict__ Raw,
                      const float *__restrict__ Curve, float Gain,
                      float *__restrict__ Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = Gain * __ldg(&Curve[__ldg(&Raw[I])]);
}

int main() {
  const unsigned short *Raw = input<unsigned short>(N, 1024);
  const float *Curve = input<float>(1024);
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("tone-curve-ldg");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(Raw, Curve, 1.5f, Expected);
    else
      after<<<N / 256, 256>>>(Raw, Curve, 1.5f, Out);
}

// Rule: cuda-memory-narrow-access
// Raw samples go through a curve of 1024 numbers. As advised, each thread
// handles two neighbouring samples: it loads a ushort2 and stores a float2.
// Options: --buffer=Raw=random,count=8388608,below=1024
#include "../Pair.cuh"

constexpr int N = 1 << 23;

__global__ void before(const unsigned short *Raw, const float *Curve, float Gain,
                       float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = Gain * Curve[Raw[I]];
}

__global__ void after(const unsigned short *Raw, const float *Curve, float Gain,
                      float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const ushort2 Two = reinterpret_cast<const ushort2 *>(Raw)[I];
  reinterpret_cast<float2 *>(Out)[I] =
      make_float2(Gain * Curve[Two.x], Gain * Curve[Two.y]);
}

int main() {
  const unsigned short *Raw = input<unsigned short>(N, 1024);
  const float *Curve = input<float>(1024);
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("tone-curve-ldg-as-advised");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(Raw, Curve, 1.5f, Expected);
    else
      after<<<N / 2 / 256, 256>>>(Raw, Curve, 1.5f, Out);
}

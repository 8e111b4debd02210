// Rule: cuda-memory-narrow-access
// y = a x + y in half precision, one or two at a time.
#include "Pair.cuh"
#include <cuda_fp16.h>

constexpr int N = 1 << 24;

__global__ void before(const __half *X, const __half *Y, __half *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = __hfma(__float2half(0.5f), X[I], Y[I]);
}

__global__ void after(const __half2 *X, const __half2 *Y, __half2 *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = __hfma2(__float2half2_rn(0.5f), X[I], Y[I]);
}

int main() {
  // The bits of halves from 0 to 1.
  const unsigned short *X = input<unsigned short>(N, 0x3c00),
                       *Y = input<unsigned short>(N, 0x3c00);
  unsigned short *Expected = output<unsigned short>(N),
                 *Out = output<unsigned short>(N);
  Pair P("half-to-half2");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>((const __half *)X, (const __half *)Y,
                               (__half *)Expected);
    else
      after<<<N / 512, 256>>>((const __half2 *)X, (const __half2 *)Y,
                              (__half2 *)Out);
}

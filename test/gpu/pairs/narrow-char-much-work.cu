// Rule: cuda-memory-narrow-access
// Each byte is worth a hundred operations: who loads it hardly matters.
#include "Pair.cuh"

constexpr int N = 1 << 23;

__device__ unsigned char turned(unsigned char Value) {
  unsigned V = Value;
#pragma unroll
  for (int I = 0; I < 64; ++I)
    V = (V ^ V >> 15) * 1664525;
  return V >> 24;
}

__global__ void before(const unsigned char *In, unsigned char *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = turned(In[I]);
}

__global__ void after(const uchar4 *In, uchar4 *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const uchar4 V = In[I];
  Out[I] = make_uchar4(turned(V.x), turned(V.y), turned(V.z), turned(V.w));
}

int main() {
  const unsigned char *In = input<unsigned char>(N, 256);
  unsigned char *Expected = output<unsigned char>(N),
                *Out = output<unsigned char>(N);
  Pair P("narrow-char-much-work");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(In, Expected);
    else
      after<<<N / 1024, 256>>>((const uchar4 *)In, (uchar4 *)Out);
}

// Rule: cuda-memory-narrow-access
// A byte of an image per thread, or four.
#include "Pair.cuh"

constexpr int N = 1 << 26;

__global__ void before(const unsigned char *In, unsigned char *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = 255 - In[I];
}

__global__ void after(const uchar4 *In, uchar4 *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const uchar4 V = In[I];
  Out[I] = make_uchar4(255 - V.x, 255 - V.y, 255 - V.z, 255 - V.w);
}

int main() {
  const unsigned char *In = input<unsigned char>(N, 256);
  unsigned char *Expected = output<unsigned char>(N),
                *Out = output<unsigned char>(N);
  Pair P("narrow-char");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(In, Expected);
    else
      after<<<N / 1024, 256>>>((const uchar4 *)In, (uchar4 *)Out);
}

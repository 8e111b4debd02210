// Rule: cuda-memory-narrow-access
// Pixels of three bytes: a thread has one, or four that are three words.
#include "Pair.cuh"

constexpr int Pixels = 1 << 22;

__global__ void before(const uchar3 *In, unsigned char *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const uchar3 P = In[I];
  Out[I] = (77 * P.x + 150 * P.y + 29 * P.z) >> 8;
}

__device__ unsigned grey(unsigned R, unsigned G, unsigned B) {
  return (77 * (R & 255) + 150 * (G & 255) + 29 * (B & 255)) >> 8;
}

__global__ void after(const uint3 *In, unsigned *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const uint3 W = In[I];
  Out[I] = grey(W.x, W.x >> 8, W.x >> 16) |
           grey(W.x >> 24, W.y, W.y >> 8) << 8 |
           grey(W.y >> 16, W.y >> 24, W.z) << 16 |
           grey(W.z >> 8, W.z >> 16, W.z >> 24) << 24;
}

int main() {
  const unsigned char *In = input<unsigned char>(Pixels * 3, 256);
  unsigned char *Expected = output<unsigned char>(Pixels),
                *Out = output<unsigned char>(Pixels);
  Pair P("narrow-pixels-of-three");
  P.same(Expected, Out, Pixels);
  while (P.next())
    if (P.beforesTurn())
      before<<<Pixels / 256, 256>>>(reinterpret_cast<const uchar3 *>(In),
                                    Expected);
    else
      after<<<Pixels / 4 / 256, 256>>>(reinterpret_cast<const uint3 *>(In),
                                       reinterpret_cast<unsigned *>(Out));
}

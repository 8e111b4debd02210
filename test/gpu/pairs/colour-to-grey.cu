// Rule: cuda-memory-array-of-structs
// Grey of red, green and blue bytes, interleaved or in planes: as many
// requests, and L1 has what the first of them brought.
#include "Pair.cuh"

constexpr int N = 1 << 22;

__device__ unsigned char grey(unsigned R, unsigned G, unsigned B) {
  return (77 * R + 150 * G + 29 * B) >> 8;
}

__global__ void before(const uchar3 *In, unsigned char *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const uchar3 V = In[I];
  Out[I] = grey(V.x, V.y, V.z);
}

__global__ void after(const unsigned char *In, unsigned char *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = grey(In[I], In[N + I], In[2 * N + I]);
}

int main() {
  const unsigned char *In = input<unsigned char>(3 * N, 256);
  const unsigned char *Planes =
      arranged(In, 3 * N, 3 * N, [](size_t I) { return I % N * 3 + I / N; });
  unsigned char *Expected = output<unsigned char>(N),
                *Out = output<unsigned char>(N);
  Pair P("colour-to-grey");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 128, 128>>>((const uchar3 *)In, Expected);
    else
      after<<<N / 128, 128>>>(Planes, Out);
}

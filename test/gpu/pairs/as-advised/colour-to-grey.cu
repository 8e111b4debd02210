// Rule: cuda-memory-narrow-access
// Grey of red, green and blue bytes, interleaved. As advised, a thread handles
// four neighbouring pixels: it stores one uchar4, and loads their twelve bytes
// as three words.
#include "../Pair.cuh"

constexpr int N = 1 << 22;

__device__ unsigned char grey(unsigned R, unsigned G, unsigned B) {
  return (77 * R + 150 * G + 29 * B) >> 8;
}

__global__ void before(const uchar3 *In, unsigned char *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const uchar3 V = In[I];
  Out[I] = grey(V.x, V.y, V.z);
}

__global__ void after(const uchar4 *In, uchar4 *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const uchar4 A = In[3 * I], B = In[3 * I + 1], C = In[3 * I + 2];
  Out[I] = make_uchar4(grey(A.x, A.y, A.z), grey(A.w, B.x, B.y),
                       grey(B.z, B.w, C.x), grey(C.y, C.z, C.w));
}

int main() {
  const unsigned char *In = input<unsigned char>(3 * N, 256);
  unsigned char *Expected = output<unsigned char>(N),
                *Out = output<unsigned char>(N);
  Pair P("colour-to-grey-as-advised");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 128, 128>>>((const uchar3 *)In, Expected);
    else
      after<<<N / 4 / 128, 128>>>((const uchar4 *)In, (uchar4 *)Out);
}

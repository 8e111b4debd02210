// Rule: cuda-memory-local-array
// Four letters of base 64 for three bytes, from a table of 65 characters that each
// thread has of its own, or that is one for all.
#include "Pair.cuh"

constexpr int N = 1 << 20;

__device__ uchar4 lettersOf(const unsigned char *In, const char *Letters) {
  const unsigned X = In[0] << 16 | In[1] << 8 | In[2];
  return make_uchar4(Letters[X >> 18], Letters[X >> 12 & 63],
                     Letters[X >> 6 & 63], Letters[X & 63]);
}

__global__ void before(const unsigned char *In, uchar4 *Out) {
  const char Letters[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const int I = blockIdx.x * 256 + threadIdx.x;
  Out[I] = lettersOf(In + 3 * I, Letters);
}

__global__ void after(const unsigned char *In, uchar4 *Out) {
  static const char Letters[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const int I = blockIdx.x * 256 + threadIdx.x;
  Out[I] = lettersOf(In + 3 * I, Letters);
}

int main() {
  const unsigned char *In = input<unsigned char>(3 * N, 256);
  uchar4 *Expected = output<uchar4>(N), *Out = output<uchar4>(N);
  Pair P("base64-letters-static");
  P.same((unsigned char *)Expected, (unsigned char *)Out, 4 * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(In, Expected);
    else
      after<<<N / 256, 256>>>(In, Out);
}

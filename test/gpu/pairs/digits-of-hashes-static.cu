// Rule: cuda-memory-local-array
// Digits that data choose from a table of 17 characters, which each thread has of its
// own, or which is one for all.
#include "Pair.cuh"

constexpr int N = 1 << 22;

__global__ void before(const unsigned char *In, uchar2 *Out) {
  const char Digits[] = "0123456789abcdef";
  const int I = blockIdx.x * 256 + threadIdx.x;
  const unsigned char X = In[I];
  Out[I] = make_uchar2(Digits[X >> 4], Digits[X & 15]);
}

__global__ void after(const unsigned char *In, uchar2 *Out) {
  static const char Digits[] = "0123456789abcdef";
  const int I = blockIdx.x * 256 + threadIdx.x;
  const unsigned char X = In[I];
  Out[I] = make_uchar2(Digits[X >> 4], Digits[X & 15]);
}

int main() {
  const unsigned char *In = input<unsigned char>(N, 256);
  uchar2 *Expected = output<uchar2>(N), *Out = output<uchar2>(N);
  Pair P("digits-of-hashes-static");
  P.same((unsigned char *)Expected, (unsigned char *)Out, 2 * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(In, Expected);
    else
      after<<<N / 256, 256>>>(In, Out);
}

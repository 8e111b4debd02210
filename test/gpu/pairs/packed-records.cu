// Rule: cuda-memory-misaligned
// Records of thirteen bytes without gaps are read byte by byte; with three
// bytes of padding by words.
#include "Pair.cuh"

constexpr int N = 1 << 20;

struct __attribute__((packed)) Packed {
  unsigned char Kind;
  unsigned Price, Amount, Time;
};
struct Padded {
  unsigned char Kind;
  unsigned Price, Amount, Time;
};

__global__ void before(const Packed *In, unsigned *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned Value = In[I].Price * In[I].Amount + In[I].Time;
  Out[I] = In[I].Kind ? Value : 0;
}

__global__ void after(const Padded *In, unsigned *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned Value = In[I].Price * In[I].Amount + In[I].Time;
  Out[I] = In[I].Kind ? Value : 0;
}

int main() {
  const unsigned char *In = input<unsigned char>(13 * N, 256);
  const unsigned char *Wide = arranged(In, 13 * N, 16 * N, [](size_t I) {
    const size_t Byte = I % 16;
    return I / 16 * 13 + (Byte < 4 ? 0 : Byte - 3);
  });
  unsigned *Expected = output<unsigned>(N), *Out = output<unsigned>(N);
  Pair P("packed-records");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>((const Packed *)In, Expected);
    else
      after<<<N / 256, 256>>>((const Padded *)Wide, Out);
}

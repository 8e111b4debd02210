// Rule: cuda-memory-misaligned
// A block reads the same 16 KB again and again, 4 bytes off: each request
// touches two lines of L1.
#include "Pair.cuh"

constexpr int Blocks = 1056, Words = 4096, Times = 16;

__global__ void before(const float *In, float *Out) {
  float Sum = 0;
  for (int T = 0; T < Times; ++T)
    for (int I = 0; I < Words; I += 256)
      Sum += In[(I + T * 32) % Words + threadIdx.x + 1];
  Out[blockIdx.x * 256 + threadIdx.x] = Sum;
}

__global__ void after(const float *In, float *Out) {
  float Sum = 0;
  for (int T = 0; T < Times; ++T)
    for (int I = 0; I < Words; I += 256)
      Sum += In[(I + T * 32) % Words + threadIdx.x];
  Out[blockIdx.x * 256 + threadIdx.x] = Sum;
}

int main() {
  const float *In = input<float>(Words + 257);
  const float *Moved =
      arranged(In, Words + 257, Words + 256, [](size_t I) { return I + 1; });
  float *Expected = output<float>(Blocks * 256),
        *Out = output<float>(Blocks * 256);
  Pair P("misaligned-in-l1");
  P.same(Expected, Out, Blocks * 256);
  while (P.next())
    if (P.beforesTurn())
      before<<<Blocks, 256>>>(In, Expected);
    else
      after<<<Blocks, 256>>>(Moved, Out);
}

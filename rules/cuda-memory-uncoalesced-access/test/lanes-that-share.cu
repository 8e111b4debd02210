// Four lanes want one word: it is one word that they want, and of its sector
// 28 bytes are unused, not 16.
// RUN: %checkpriced --gpu=h200 --checks='-*,cuda-memory-uncoalesced-access' --min-gain=0 \
// RUN:   %s -- -nocudainc 2>&1 | FileCheck %s
// CHECK: warning: global load is uncoalesced: 4 sectors per request (ideal 1), 112 of their bytes unused by it

__global__ void product(const float *In, const float *Weight, float *Out) {
  const int Row = blockIdx.x * 4 + threadIdx.x, Column = blockIdx.y * 4 + threadIdx.y;
  float Sum = 0;
  for (int I = 0; I < 768; ++I)
    Sum += In[Row * 768 + I] * Weight[Column * 768 + I];
  Out[Row * 3072 + Column] = Sum;
}

void run(const float *In, const float *Weight, float *Out) {
  product<<<dim3(2048, 768), dim3(4, 4)>>>(In, Weight, Out);
}

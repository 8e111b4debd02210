// Each thread walks along a row of its own and counts. With a warp for a row
// there are as many times more threads, each with as many times fewer rounds;
// a byte that is counted or not keeps no load waiting.
// (genotype-counts-warp-per-variant of test/gpu/pairs: 2.7 on an H100.)
//
// RUN: %checkpriced --checks='-*,cuda-memory-uncoalesced-access' \
// RUN:   --profile=nvidia-h100 %s -- 2>&1 | FileCheck %s

constexpr int Rows = 1 << 16;

__global__ void count(const unsigned char *__restrict__ In, int *Out,
                      int Width) {
  const int Row = blockIdx.x * blockDim.x + threadIdx.x;
  int Sum = 0, Ones = 0, Known = 0;
  for (int I = 0; I < Width; ++I) {
    // CHECK: [[@LINE+1]]{{.*}}: warning: global load is uncoalesced: 32 sectors per request (ideal 1){{.*}}; about {{[12]}}.{{.*}}x faster
    const int Value = In[size_t(Row) * Width + I];
    if (Value == 3)
      continue;
    Sum += Value;
    Ones += Value == 1;
    ++Known;
  }
  Out[Row] = Sum * Known + Ones;
}

void launch(const unsigned char *In, int *Out) {
  count<<<Rows / 128, 128>>>(In, Out, 600);
}
// CHECK: note: each lane walks along 'In' by itself: let the lanes of a warp walk side by side

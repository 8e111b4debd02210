// Data decide where a row is, and the lanes take it side by side; or where eight
// lanes go, and they take the eight elements there. Random indices cost no more
// than indices in order.
//
// RUN: %checkpriced --remarks --checks='-*,cuda-memory-gather' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=remark: --implicit-check-not=warning:
// CHECK: note: 0 warnings in 2 kernels, 5 of 6 accesses judged

constexpr int N = 1 << 24, Width = 256;

// A row of an embedding for each block.
__global__ void rows(const float *Table, const int *Word, float *Out) {
  const int Row = Word[blockIdx.x];
  Out[blockIdx.x * Width + threadIdx.x] = Table[Row * Width + threadIdx.x];
}

// Points of eight floats each: what is gathered lies side by side.
__global__ void points(const float *Points, const int *Nearest, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = Points[Nearest[I / 8] * 8 + I % 8];
}

void launch(const float *In, const int *Index, float *Out) {
  rows<<<N / Width, Width>>>(In, Index, Out);
  points<<<N / 256, 256>>>(In, Index, Out);
}

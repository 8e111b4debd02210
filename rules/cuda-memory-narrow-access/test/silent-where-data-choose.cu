// What is stored where data say so: of a vector all is.
//
// RUN: %warpwise check --checks='-*,cuda-memory-narrow-access' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:
// CHECK: note: 0 warnings in 1 kernel

__global__ void where(short *Values, const int *Columns, int Row, int N) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N && Columns[I] == Row)
    Values[I] = 1;
}

void launch(short *Values, const int *Columns, unsigned N, int Row) {
  where<<<(N + 255) / 256, 256>>>(Values, Columns, Row, N);
}

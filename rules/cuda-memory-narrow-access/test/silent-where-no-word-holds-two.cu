// Two elements that are no word: of rows whose length nobody knows the last one
// of one row and the first one of the next, and what is stored where data say.
//
// RUN: %warpwise check --checks='-*,cuda-memory-narrow-access' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:
// CHECK: note: 0 warnings in 2 kernels

__global__ void trim(float *Out, const short *In, unsigned N, unsigned Stride,
                     unsigned Length) {
  const unsigned I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    Out[I] = In[I / Length * Stride + I % Length];
}

__global__ void where(short *Values, const int *Columns, int Row, int N) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N && Columns[I] == Row)
    Values[I] = 1;
}

void launch(float *Out, short *In, const int *Columns, unsigned N, int Row) {
  trim<<<(N + 255) / 256, 256>>>(Out, In, N, 16, N / 100);
  where<<<(N + 255) / 256, 256>>>(In, Columns, Row, N);
}

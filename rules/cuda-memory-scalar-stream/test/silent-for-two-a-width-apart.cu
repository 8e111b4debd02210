// A round that handles two elements of 8 bytes, a block's width apart, is what the
// advice would make of it.
// RUN: %checkpriced --gpu=h200 --checks='-*,cuda-memory-scalar-stream' \
// RUN:   %s -- -nocudainc 2>&1 | FileCheck %s --implicit-check-not=warning:
// CHECK: note: 0 warnings in 1 kernel

template <unsigned Width>
__global__ void sums(const double *In, double *Out, unsigned N) {
  const unsigned Thread = threadIdx.x;
  double Sum = 0;
  unsigned I = blockIdx.x * Width * 2 + Thread;
  const unsigned Grid = Width * gridDim.x * 2;
  while (I < N) {
    Sum += In[I];
    if (I + Width < N)
      Sum += In[I + Width];
    I += Grid;
  }
  Out[blockIdx.x * Width + Thread] = Sum;
}

void run(const double *In, double *Out) {
  sums<256><<<1056, 256>>>(In, Out, 1 << 26);
}

// A row of a length that nobody knows is no variable of a thread.
// RUN: %checkpriced --gpu=h200 --checks='-*,cuda-memory-redundant-round-trip' --min-gain=0 \
// RUN:   %s -- -nocudainc 2>&1 | FileCheck %s --implicit-check-not=warning:
// CHECK: note: 0 warnings in 1 kernel

__global__ void distribution(unsigned Width, const float *In, float *Out) {
  const unsigned Row = blockIdx.x * 128 + threadIdx.x;
  In += Row * Width;
  Out += Row * Width;
  float Sum = 0;
  for (unsigned X = 0; X < Width; ++X) {
    Sum += In[X];
    Out[X] = Sum;
  }
  for (unsigned X = 0; X < Width; ++X)
    Out[X] = Out[X] / Sum;
}

void run(unsigned Width, const float *In, float *Out) {
  distribution<<<1024, 128>>>(Width, In, Out);
}

// A table of 16 KiB: warps that fall out of step drive out of the constant cache
// what the others have brought, and how far they do nobody foretells.
//
// RUN: %checkpriced --checks='-*,cuda-memory-constant-candidate' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 | FileCheck %s

constexpr int N = 1 << 20, Samples = 4096;

// CHECK-NOT: warning:
__global__ void walked(const float *Table, const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const float X = In[I];
  float Sum = 0;
  for (int S = 0; S < Samples; ++S)
    Sum += fabsf(X - Table[S]);
  Out[I] = Sum;
}

void launch(const float *Table, const float *In, float *Out) {
  walked<<<N / 256, 256>>>(Table, In, Out);
}
// CHECK: 0 warnings in 1 kernel

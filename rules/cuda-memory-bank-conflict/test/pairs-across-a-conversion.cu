// Neighbours at the start of dynamic shared memory are one load of 8 bytes, and
// a conversion in assembly between them does not keep them apart. Where a row
// starts that another one precedes nobody knows: two loads.
//
// RUN: %warpwise check --checks='-*,cuda-memory-bank-conflict' \
// RUN:   --profile=nvidia-h100-pcie --quiet %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

__device__ unsigned short rounded(float V) {
  unsigned short R;
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(R) : "f"(V));
  return R;
}

__global__ void pairs(ushort2 *Out, ushort2 *Out2, int C) {
  extern __shared__ float S[];
  float *Bias = S, *Scale = S + C;
  int I = threadIdx.x;
  Out[I] = make_ushort2(rounded(Bias[I * 2]), rounded(Bias[I * 2 + 1]));
  Out2[I] = make_ushort2(rounded(Scale[I * 2]), rounded(Scale[I * 2 + 1]));
  // CHECK: [[@LINE-1]]:{{[0-9]+}}: warning: shared load is a 2-way bank conflict
  // CHECK: {{note: .*}}the same at [[@LINE-2]]:{{[0-9]+$}}
}

void launch(ushort2 *Out, ushort2 *Out2, int C) {
  pairs<<<64, 256, 6144>>>(Out, Out2, C);
}

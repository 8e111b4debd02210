// One element picked at run time, then picked with constant indices.
//
// RUN: %warpwise check --checks='-*,cuda-memory-local-array' \
// RUN:   --profile=nvidia-h100 --quiet %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

// Before: registers have no index.
__global__ void pick(float *Out, const float *In, int M) {
  float Window[64];
  // CHECK: index-at-run-time.cu:[[@LINE-1]]: warning: private array 'Window' stays in local memory: about {{[0-9.]+}} cycles per access on NVIDIA H100 PCIe, because index 'M' is not a constant [cuda-memory-local-array]
  // CHECK: index-at-run-time.cu:[[@LINE+5]]:{{[0-9]+}}: note: this index is not a constant after unrolling
  // CHECK: note: profile nvidia-h100: warp.local.cycles_per_access is
  // CHECK: note: unroll the loops around it, or select elements of 'Window'
  for (int I = 0; I < 64; ++I)
    Window[I] = In[threadIdx.x + I];
  Out[threadIdx.x] = Window[M];
}

// After: every index is a constant once the loops are unrolled.
__global__ void pickUnrolled(float *Out, const float *In, int M) {
  float Window[64];
  for (int I = 0; I < 64; ++I)
    Window[I] = In[threadIdx.x + I];
  float Picked = 0;
  for (int I = 0; I < 64; ++I)
    Picked = I == M ? Window[I] : Picked;
  Out[threadIdx.x] = Picked;
}

void launch(float *Out, const float *In, int M) {
  pick<<<1, 128>>>(Out, In, M);
  pickUnrolled<<<1, 128>>>(Out, In, M);
}

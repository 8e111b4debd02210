// A bubble sort of nine values unrolls into registers: sorting is no cause.
//
// RUN: %warpwise check --checks='-*,cuda-memory-local-array' \
// RUN:   --profile=nvidia-h100-pcie %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:
// CHECK: note: 0 warnings in 1 kernel, 2 of 2 accesses judged

__global__ void median(float *Out, const float *In) {
  float Window[9];
  for (int I = 0; I < 9; ++I)
    Window[I] = In[threadIdx.x + I];
  for (int I = 0; I < 9; ++I)
    for (int J = 0; J < 8 - I; ++J)
      if (Window[J] > Window[J + 1]) {
        float Swap = Window[J];
        Window[J] = Window[J + 1];
        Window[J + 1] = Swap;
      }
  Out[threadIdx.x] = Window[4];
}

void launch(float *Out, const float *In) { median<<<1, 128>>>(Out, In); }

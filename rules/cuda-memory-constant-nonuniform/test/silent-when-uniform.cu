// A loop that all lanes run alike, and a double: one word each.
//
// RUN: %warpwise check --checks='-*,cuda-memory-constant-nonuniform' \
// RUN:   --profile=nvidia-h100-pcie %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:
// CHECK: note: 0 warnings in 1 kernel, 4 of 4 accesses judged

__constant__ float Taps[9];
__constant__ double Scale[4];

__global__ void convolve(double *Out, const float *In) {
  double Sum = 0;
  for (int I = 0; I < 9; ++I)
    Sum += Taps[I] * In[threadIdx.x + I];
  Out[threadIdx.x] = Sum * Scale[blockIdx.x];
}

void launch(double *Out, const float *In) { convolve<<<4, 128>>>(Out, In); }

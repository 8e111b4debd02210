// What is loaded before the only store is kept, and so is what no argument's
// store can change; what is stored to through the same pointer nobody can
// promise anything of.
//
// RUN: %warpwise check --checks='-*,cuda-memory-missing-restrict' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

__global__ void storedLast(const float *Scale, const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum = 0;
  for (int J = 0; J < 16; ++J)
    Sum += Scale[0] * In[J * 65536 + I];
  Out[I] = Sum;
}

__constant__ float Known[2];

__global__ void fromConstantMemory(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = Known[0] * In[I] + Known[1];
  Out[65536 + I] = Known[0] * In[65536 + I] + Known[1];
}

__global__ void storesTheScale(float *Scale, const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = Scale[0] * In[I];
  Out[65536 + I] = Scale[0] * In[65536 + I];
  Scale[I] = 1;
}

void launch(float *Scale, const float *In, float *Out) {
  storedLast<<<256, 256>>>(Scale, In, Out);
  fromConstantMemory<<<256, 256>>>(In, Out);
  storesTheScale<<<256, 256>>>(Scale, In, Out);
}
// CHECK: note: 0 warnings in 3 kernels, 16 of 16 accesses judged

// What threads that wait for each other store may be looked at between.
//
// RUN: %warpwise check --checks='-*,cuda-memory-redundant-round-trip' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:
// CHECK: note: 0 warnings in 3 kernels, 13 of 13 accesses judged

__global__ void waits(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  for (int J = 0; J < 32; ++J) {
    Out[I] += In[J * 65536 + I] + Out[I ^ 1];
    __syncthreads();
  }
}

__global__ void watched(const float *In, volatile float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  for (int J = 0; J < 32; ++J)
    Out[I] += In[J * 65536 + I];
}

__global__ void counted(const int *In, int *Out, int *Count) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  for (int J = 0; J < 32; ++J) {
    Out[I] = In[J * 65536 + I];
    atomicAdd(&Out[I + 1], 1);
    Out[I] += In[J * 65536 + I];
  }
}

void launch(const float *In, float *Out, int *Count) {
  waits<<<256, 256>>>(In, Out);
  watched<<<256, 256>>>(In, Out);
  counted<<<256, 256>>>((const int *)In, Count, Count);
}

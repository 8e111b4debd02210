// What a function does that calls itself cannot be inlined into the kernel, and
// only what is in the kernel is evaluated.
//
// XFAIL: *
// RUN: %warpwise check --gpu=nvidia-h100-pcie %s -- | FileCheck %s

__device__ float sum(const float *In, int I) {
  if (I <= 0)
    return 0;
  return In[I * 64] + sum(In, I - 32);
  // CHECK: [[@LINE-1]]:{{.*}} warning: {{.*}} [cuda-memory-uncoalesced-access]
}

__global__ void sums(float *Out, const float *In) {
  Out[threadIdx.x] = sum(In, threadIdx.x);
}

void launch(float *Out, const float *In) { sums<<<1, 256>>>(Out, In); }

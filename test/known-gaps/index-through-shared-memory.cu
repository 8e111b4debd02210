// The contents of shared memory are not followed, so an index that was stored
// there counts as data, although it could be computed.
//
// XFAIL: *
// RUN: %warpwise check --gpu=nvidia-h100-pcie %s -- | FileCheck %s

__global__ void gather(float *Out, const float *In) {
  __shared__ int Index[256];
  Index[threadIdx.x] = threadIdx.x * 32;
  __syncthreads();
  Out[threadIdx.x] = In[Index[threadIdx.x]];
  // CHECK: [[@LINE-1]]:{{.*}} warning: {{.*}} [cuda-memory-uncoalesced-access]
}

void launch(float *Out, const float *In) { gather<<<1, 256>>>(Out, In); }

// A kernel that nothing launches says so where it promises something, and
// stands behind all others in the summary, whatever it promises.
//
// RUN: %warpwise check --checks='-*,cuda-memory-uncoalesced-access' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 | FileCheck %s

// CHECK: [[@LINE+3]]:{{.*}} no launch was seen; on a grid that fills the GPU about {{[0-9.]+}}x faster
__global__ void idle(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = In[I * 32];
}

// CHECK: [[@LINE+3]]:{{.*}} if the grid fills the GPU about {{[0-9.]+}}x faster
__global__ void busy(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = In[I * 8];
}

// CHECK: {{^}}kernel
// CHECK-NEXT: {{^}}busy
// CHECK-NEXT: {{^}}idle

void launch(const float *In, float *Out, int N) { busy<<<N / 256, 256>>>(In, Out); }

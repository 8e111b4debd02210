// A scan over the block goes along its threads, so that these cannot go along
// the rows instead.
//
// RUN: %warpwise check --checks='-*,cuda-memory-uncoalesced-access' \
// RUN:   --profile=nvidia-h200 --quiet %s -- 2>&1 | FileCheck %s

__global__ void sums(const float *In, float *Out, int Pitch) {
  __shared__ float Sums[256];
  const int At = (blockIdx.y * 256 + threadIdx.x) * Pitch + blockIdx.x;
  // CHECK: [[@LINE+2]]:{{[0-9]+}}: warning: global load is uncoalesced: 32 sectors per request where 'Pitch' is large
  // CHECK: note: every array of this kernel lies across its warps, whose threads work together: bring tiles of them through shared memory
  Sums[threadIdx.x] = In[At];
  __syncthreads();
  for (int Step = 1; Step < 256; Step *= 2) {
    const float Before = threadIdx.x >= Step ? Sums[threadIdx.x - Step] : 0;
    __syncthreads();
    Sums[threadIdx.x] += Before;
    __syncthreads();
  }
  Out[At] = Sums[threadIdx.x];
}

void launch(const float *In, float *Out, int Pitch) {
  sums<<<dim3(512, 64), 256>>>(In, Out, Pitch);
}

// Lanes that read the same word, and 16-byte lanes, need no extra pass.
//
// RUN: %warpwise check --checks='-*,cuda-memory-bank-conflict' \
// RUN:   --profile=nvidia-h100-pcie %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:
// CHECK: note: 0 warnings in 2 kernels, 7 of 7 accesses judged

struct alignas(16) Quad {
  float X, Y, Z, W;
};

__global__ void broadcast(float *Out) {
  __shared__ float Row[64];
  Row[threadIdx.x] = 1;
  __syncthreads();
  Out[threadIdx.x] = Row[threadIdx.x / 8];
}

__global__ void wide(Quad *Out, const Quad *In) {
  __shared__ Quad Row[64];
  Row[threadIdx.x] = In[threadIdx.x];
  __syncthreads();
  Out[threadIdx.x] = Row[63 - threadIdx.x];
}

void launch(float *Out, Quad *Quads) {
  broadcast<<<1, 64>>>(Out);
  wide<<<1, 64>>>(Quads, Quads);
}

// A transpose through shared memory: the column read, then the padded tile.
//
// RUN: %warpwise check --checks='-*,cuda-memory-bank-conflict' \
// RUN:   --profile=nvidia-h100-pcie --quiet %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

// Before: 32 lanes, one bank.
__global__ void square(float *Out, const float *In) {
  __shared__ float Tile[32][32];
  Tile[threadIdx.y][threadIdx.x] = In[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  Out[threadIdx.y * 32 + threadIdx.x] = Tile[threadIdx.x][threadIdx.y];
  // CHECK: column-of-a-tile.cu:[[@LINE-1]]:41: warning: shared load is a 32-way bank conflict: 32 wavefronts per request (ideal 1){{.*}} [cuda-memory-bank-conflict]
  // CHECK: note: in the costliest request of 'Tile', neighbouring lanes are 128 bytes apart
  // CHECK: note: about {{[0-9.]+}} cycles more per request of a warp on NVIDIA H100 PCIe
  // CHECK: column-of-a-tile.cu:[[@LINE+14]]: note: block is 32x32, from this launch
  // CHECK: note: profile nvidia-h100-pcie: warp.shared.cycles_per_wavefront is
  // CHECK: note: pad each row of 'Tile' by one element
}

// After: the rows start on different banks.
__global__ void padded(float *Out, const float *In) {
  __shared__ float Tile[32][33];
  Tile[threadIdx.y][threadIdx.x] = In[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  Out[threadIdx.y * 32 + threadIdx.x] = Tile[threadIdx.x][threadIdx.y];
}

void launch(float *Out, const float *In) {
  square<<<1, dim3(32, 32)>>>(Out, In);
  padded<<<1, dim3(32, 32)>>>(Out, In);
}

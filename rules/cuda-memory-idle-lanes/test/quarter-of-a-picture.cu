// One of four threads has work: every other lane of every other row. The same
// with as many threads as results. The grid is larger than what is evaluated.
//
// RUN: %checkpriced --explain --checks='-*,cuda-memory-idle-lanes' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

constexpr int Width = 4096, Height = 2048;
__device__ float In[Width * Height], Out[Width * Height / 4];

// CHECK: [[@LINE+2]]: warning: 16 of 32 lanes of each warp and 4 of 8 warps of each block have nothing to do; about {{[2-4]\..*}}x faster {{.*}} when repaired [cuda-memory-idle-lanes]
// CHECK: note: launch no more threads than work: number the work by the thread, so that 4 times fewer do it
__global__ void before() {
  const int X = blockIdx.x * blockDim.x + threadIdx.x;
  const int Y = blockIdx.y * blockDim.y + threadIdx.y;
  if (X % 2 == 0 && Y % 2 == 0)
    Out[Y / 2 * (Width / 2) + X / 2] =
        In[Y * Width + X] + In[Y * Width + X + 1] + In[(Y + 1) * Width + X] +
        In[(Y + 1) * Width + X + 1];
}

__global__ void after() {
  const int X = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
  const int Y = 2 * (blockIdx.y * blockDim.y + threadIdx.y);
  Out[Y / 2 * (Width / 2) + X / 2] =
      In[Y * Width + X] + In[Y * Width + X + 1] + In[(Y + 1) * Width + X] +
      In[(Y + 1) * Width + X + 1];
}

void launch() {
  before<<<dim3(Width / 32, Height / 8), dim3(32, 8)>>>();
  after<<<dim3(Width / 64, Height / 16), dim3(32, 8)>>>();
}
// CHECK: note: 1 warning in 2 kernels

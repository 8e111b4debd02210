// Records of 210 bytes lie 2 bytes off every other word: what would be one
// word of four bytes in one record crosses two in the next.
// RUN: %warpwise check --gpu=h200 --checks='-*,cuda-memory-narrow-access' %s -- 2>&1 | FileCheck %s

struct Packed {
  unsigned char Low[128], High[64], Scales[16];
  unsigned short Factor;
};

// CHECK-NOT: warning
__global__ void unpack(const Packed *In, float *Out) {
  const Packed &Its = In[blockIdx.x];
  float *To = Out + 256 * blockIdx.x + threadIdx.x;
  *To = (Its.Low[threadIdx.x] & 15) | (Its.High[threadIdx.x % 64] & 3) << 4;
}
// CHECK: note: 0 warnings in 1 kernel

void run(const Packed *In, float *Out, int N) { unpack<<<N, 64>>>(In, Out); }

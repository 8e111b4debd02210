// Lanes in the order of other bits of the index: other warps and blocks use the
// rest of their sectors, and tiles in shared memory bring them together.
//
// RUN: %warpwise check --checks='-*,cuda-memory-uncoalesced-access' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

constexpr unsigned Bits = 22;

__global__ void reversed(const float2 *In, float2 *Out) {
  const unsigned I = blockIdx.x * 256 + threadIdx.x;
  Out[__brev(I) >> (32 - Bits)] = In[I];
  // CHECK: [[@LINE-1]]:33: warning: global store is uncoalesced: likely 32 sectors per request (ideal 8)
  // CHECK: note: the bits of the lane's number are spread over the index of 'Out': exchange tiles through shared memory, so that neighbouring lanes store neighbouring elements
}

__device__ unsigned spread(unsigned X) {
  X = (X | X << 8) & 0x00FF00FF;
  X = (X | X << 4) & 0x0F0F0F0F;
  X = (X | X << 2) & 0x33333333;
  return (X | X << 1) & 0x55555555;
}

__global__ void zOrder(const float *In, float *Out) {
  const unsigned X = blockIdx.x * 32 + threadIdx.x,
                 Y = blockIdx.y * 8 + threadIdx.y;
  Out[Y * 4096 + X] = In[spread(Y) << 1 | spread(X)];
  // CHECK: [[@LINE-1]]:23: warning: global load is uncoalesced: likely 8 sectors per request (ideal 4)
  // CHECK: note: the bits of the lane's number are spread over the index of 'In'
}

/// No tile brings these together.
__global__ void hashed(const float *In, float *Out) {
  const unsigned I = blockIdx.x * 256 + threadIdx.x;
  const unsigned Mixed = (I ^ I >> 7) * 0x9E3779B1u;
  Out[(Mixed ^ Mixed >> 11) & ((1u << Bits) - 1)] = In[I];
}

void launch(const float2 *A, float2 *B, const float *In, float *Out) {
  reversed<<<1 << (Bits - 8), 256>>>(A, B);
  zOrder<<<dim3(128, 512), dim3(32, 8)>>>(In, Out);
  hashed<<<1 << (Bits - 8), 256>>>(In, Out);
}
// CHECK: note: 2 warnings in 3 kernels, 6 of 6 accesses judged

// Rule: cuda-memory-shared-without-reuse
// Composes two streams of rotations, quaternions of four floats: each thread
// puts its two in shared memory and takes back the same two, or keeps them in
// registers all along. DRAM takes as long for both.
#include "Pair.cuh"

constexpr int Count = 2 << 20, Block = 256;

__device__ float4 product(float4 A, float4 B) {
  return make_float4(A.w * B.x + A.x * B.w + A.y * B.z - A.z * B.y,
                     A.w * B.y - A.x * B.z + A.y * B.w + A.z * B.x,
                     A.w * B.z + A.x * B.y - A.y * B.x + A.z * B.w,
                     A.w * B.w - A.x * B.x - A.y * B.y - A.z * B.z);
}

__device__ float4 ofUnitLength(float4 Q) {
  const float Scale =
      rsqrtf(Q.x * Q.x + Q.y * Q.y + Q.z * Q.z + Q.w * Q.w + 1e-6f);
  return make_float4(Q.x * Scale, Q.y * Scale, Q.z * Scale, Q.w * Scale);
}

__global__ void before(const float4 *__restrict__ Outer,
                       const float4 *__restrict__ Inner,
                       float4 *__restrict__ Both) {
  __shared__ float4 A[Block], B[Block];
  const int I = blockIdx.x * Block + threadIdx.x;
  A[threadIdx.x] = Outer[I];
  B[threadIdx.x] = Inner[I];
  __syncthreads();
  Both[I] = ofUnitLength(product(A[threadIdx.x], B[threadIdx.x]));
}

__global__ void after(const float4 *__restrict__ Outer,
                      const float4 *__restrict__ Inner,
                      float4 *__restrict__ Both) {
  const int I = blockIdx.x * Block + threadIdx.x;
  const float4 A = Outer[I], B = Inner[I];
  Both[I] = ofUnitLength(product(A, B));
}

int main() {
  const float *In = input<float>(size_t(8) * Count);
  const float4 *Outer = reinterpret_cast<const float4 *>(In),
               *Inner = Outer + Count;
  float *Expected = output<float>(size_t(4) * Count),
        *Out = output<float>(size_t(4) * Count);
  Pair P("quaternions-without-stage");
  P.same(Expected, Out, size_t(4) * Count);
  while (P.next())
    if (P.beforesTurn())
      before<<<Count / Block, Block>>>(Outer, Inner,
                                       reinterpret_cast<float4 *>(Expected));
    else
      after<<<Count / Block, Block>>>(Outer, Inner,
                                      reinterpret_cast<float4 *>(Out));
}

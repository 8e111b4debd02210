// Rule: cuda-memory-single-result
// Slopes of a long curve by five points: DRAM is busy however its elements are
// loaded, one result a thread or four.
#include "Pair.cuh"

constexpr int N = 1 << 24;

__device__ float slope(float A, float B, float C, float D) {
  return (A - D + 8 * (C - B)) / 12;
}

__global__ void before(const float *__restrict__ In, float *__restrict__ Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x + 4;
  Out[I] = slope(In[I - 2], In[I - 1], In[I + 1], In[I + 2]);
}

__global__ void after(const float4 *__restrict__ In, float4 *__restrict__ Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x + 1;
  const float4 A = In[I - 1], B = In[I], C = In[I + 1];
  Out[I] = make_float4(slope(A.z, A.w, B.y, B.z), slope(A.w, B.x, B.z, B.w),
                       slope(B.x, B.y, B.w, C.x), slope(B.y, B.z, C.x, C.y));
}

int main() {
  const float *In = input<float>(N + 12);
  float *Expected = output<float>(N + 12), *Out = output<float>(N + 12);
  Pair P("slopes-of-four-results");
  P.same(Expected, Out, N + 4);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(In, Expected);
    else
      after<<<N / 1024, 256>>>((const float4 *)In, (float4 *)Out);
}

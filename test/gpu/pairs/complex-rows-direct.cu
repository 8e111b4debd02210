// Rule: cuda-memory-needless-staging
// Rows of 1024 complex numbers are multiplied by a response and its phase: the
// row goes through shared memory, from which each thread takes what it put
// there, or stays in registers.
#include "Pair.cuh"

constexpr int Rows = 4096, Width = 1024, Each = 4;

__device__ float2 product(float2 A, float2 B) {
  return make_float2(A.x * B.x - A.y * B.y, A.x * B.y + A.y * B.x);
}

__global__ void before(const float2 *__restrict__ In,
                       const float2 *__restrict__ Response,
                       float2 *__restrict__ Out) {
  __shared__ float2 Row[Width];
  for (int I = threadIdx.x; I < Width; I += Width / Each)
    Row[I] = In[blockIdx.x * Width + I];
  __syncthreads();
  for (int I = threadIdx.x; I < Width; I += Width / Each)
    Row[I] = product(Row[I], Response[I]);
  __syncthreads();
  for (int I = threadIdx.x; I < Width; I += Width / Each)
    Out[blockIdx.x * Width + I] = Row[I];
}

__global__ void after(const float2 *__restrict__ In,
                      const float2 *__restrict__ Response,
                      float2 *__restrict__ Out) {
  for (int I = threadIdx.x; I < Width; I += Width / Each) {
    const float2 Value = In[blockIdx.x * Width + I];
    Out[blockIdx.x * Width + I] = product(Value, Response[I]);
  }
}

int main() {
  const float *In = input<float>(2 * Rows * Width),
              *Response = input<float>(2 * Width + 32) + 32;
  float *Expected = output<float>(2 * Rows * Width),
        *Out = output<float>(2 * Rows * Width);
  Pair P("complex-rows-direct");
  P.same(Expected, Out, 2 * Rows * Width);
  while (P.next())
    if (P.beforesTurn())
      before<<<Rows, Width / Each>>>(
          (const float2 *)In, (const float2 *)Response, (float2 *)Expected);
    else
      after<<<Rows, Width / Each>>>((const float2 *)In,
                                    (const float2 *)Response, (float2 *)Out);
}

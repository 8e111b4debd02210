// Rule: cuda-memory-single-result
// Samples of 32 receiver coils of an MRI scanner compressed to eight virtual
// coils: a thread per sample and virtual coil, or, as remedy, a thread per
// sample that reads the real coils once and makes all eight results.
#include "Pair.cuh"

constexpr int N = 1 << 18, Coils = 32, Virtual = 8;

__constant__ float2 Weights[Virtual][Coils];

__device__ void addProduct(float2 &Sum, float2 A, float2 B) {
  Sum.x += A.x * B.x - A.y * B.y;
  Sum.y += A.x * B.y + A.y * B.x;
}

__global__ void before(const float2 *__restrict__ In,
                       float2 *__restrict__ Out) {
  const int I = blockIdx.x * 256 + threadIdx.x, V = blockIdx.y;
  float2 Sum = make_float2(0, 0);
#pragma unroll 8
  for (int C = 0; C < Coils; ++C)
    addProduct(Sum, Weights[V][C], In[C * N + I]);
  Out[V * N + I] = Sum;
}

__global__ void after(const float2 *__restrict__ In,
                      float2 *__restrict__ Out) {
  const int I = blockIdx.x * 256 + threadIdx.x;
  float2 Sums[Virtual] = {};
#pragma unroll 8
  for (int C = 0; C < Coils; ++C) {
    const float2 Sample = In[C * N + I];
#pragma unroll
    for (int V = 0; V < Virtual; ++V)
      addProduct(Sums[V], Weights[V][C], Sample);
  }
#pragma unroll
  for (int V = 0; V < Virtual; ++V)
    Out[V * N + I] = Sums[V];
}

int main() {
  const float *In = input<float>(2 * Coils * N),
              *Matrix = input<float>(2 * Virtual * Coils);
  must(cudaMemcpyToSymbol(Weights, Matrix, sizeof(Weights), 0,
                          cudaMemcpyDeviceToDevice));
  float *Expected = output<float>(2 * Virtual * N),
        *Out = output<float>(2 * Virtual * N);
  Pair P("coils-compressed-eight-a-thread");
  P.same(Expected, Out, 2 * Virtual * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(N / 256, Virtual), 256>>>((const float2 *)In,
                                              (float2 *)Expected);
    else
      after<<<N / 256, 256>>>((const float2 *)In, (float2 *)Out);
}

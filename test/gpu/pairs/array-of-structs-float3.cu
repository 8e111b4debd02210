// Rule: cuda-memory-array-of-structs
// Positions of three floats, one array or three, in L2.
#include "Pair.cuh"

constexpr int N = 1 << 20;

__global__ void before(const float3 *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const float3 V = In[I];
  Out[I] = V.x * V.x + V.y * V.y + V.z * V.z;
}

__global__ void after(const float *X, const float *Y, const float *Z,
                      float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = X[I] * X[I] + Y[I] * Y[I] + Z[I] * Z[I];
}

int main() {
  const float *In = input<float>(3 * N);
  const float *Split =
      arranged(In, 3 * N, 3 * N, [](size_t I) { return I % N * 3 + I / N; });
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("array-of-structs-float3");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>((const float3 *)In, Expected);
    else
      after<<<N / 256, 256>>>(Split, Split + N, Split + 2 * N, Out);
}

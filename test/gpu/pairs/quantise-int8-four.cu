// Rule: cuda-memory-narrow-access
// Activations become bytes, by a scale of their row: one a thread or four.
#include "Pair.cuh"

constexpr int Rows = 4096, Columns = 4096;

__device__ signed char quantised(float V, float Scale) {
  return max(-127, min(127, __float2int_rn(V * Scale)));
}

__global__ void before(const float *In, const float *Scales, int Columns,
                       signed char *Out) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x, Y = blockIdx.y;
  Out[Y * Columns + X] = quantised(In[Y * Columns + X], 200 * Scales[Y]);
}

__global__ void after(const float4 *In, const float *Scales, int Columns,
                      char4 *Out) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x, Y = blockIdx.y;
  const float4 V = In[Y * (Columns / 4) + X];
  const float S = 200 * Scales[Y];
  Out[Y * (Columns / 4) + X] =
      make_char4(quantised(V.x, S), quantised(V.y, S), quantised(V.z, S),
                 quantised(V.w, S));
}

int main() {
  const float *In = input<float>(Rows * Columns), *Scales = input<float>(Rows);
  signed char *Expected = output<signed char>(Rows * Columns),
              *Out = output<signed char>(Rows * Columns);
  Pair P("quantise-int8-four");
  P.same(Expected, Out, Rows * Columns);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Columns / 256, Rows), 256>>>(In, Scales, Columns, Expected);
    else
      after<<<dim3(Columns / 1024, Rows), 256>>>((const float4 *)In, Scales,
                                                 Columns, (char4 *)Out);
}

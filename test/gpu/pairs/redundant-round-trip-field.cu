// Rule: cuda-memory-redundant-round-trip
// An intermediate field that only its own thread reads goes out and back.
#include "Pair.cuh"

constexpr int N = 1 << 23;

__global__ void before(const float *In, float *Between, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Between[I] = 3 * In[I] + 1;
  __syncthreads();
  Out[I] = Between[I] * Between[I];
}

__global__ void after(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const float Between = 3 * In[I] + 1;
  Out[I] = Between * Between;
}

int main() {
  const float *In = input<float>(N);
  float *Between = output<float>(N);
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("redundant-round-trip-field");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(In, Between, Expected);
    else
      after<<<N / 256, 256>>>(In, Out);
}

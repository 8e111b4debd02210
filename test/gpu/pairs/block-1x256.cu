// Rule: cuda-memory-block-shape
// A block is a column of a matrix: each lane has a row of its own.
#include "Pair.cuh"

constexpr int N = 2048;

__global__ void before(const float *In, float *Out) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x;
  const int Y = blockIdx.y * blockDim.y + threadIdx.y;
  Out[Y * N + X] = 2 * In[Y * N + X];
}

__global__ void after(const float *In, float *Out) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x;
  const int Y = blockIdx.y * blockDim.y + threadIdx.y;
  Out[Y * N + X] = 2 * In[Y * N + X];
}

int main() {
  const float *In = input<float>(N * N);
  float *Expected = output<float>(N * N), *Out = output<float>(N * N);
  Pair P("block-1x256");
  P.same(Expected, Out, N * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(N, N / 256), dim3(1, 256)>>>(In, Expected);
    else
      after<<<dim3(N / 256, N), dim3(256, 1)>>>(In, Out);
}

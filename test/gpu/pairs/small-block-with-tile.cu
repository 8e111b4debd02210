// Rule: cuda-memory-small-block
// Blocks of one warp that smooth 32 numbers, or of eight that smooth 256.
#include "Pair.cuh"

constexpr int N = 1 << 22;

template <int Size> __device__ void smooth(const float *In, float *Out) {
  __shared__ float Row[Size + 2];
  const int I = blockIdx.x * Size + threadIdx.x;
  Row[threadIdx.x + 1] = In[I + 1];
  if (threadIdx.x == 0)
    Row[0] = In[I];
  if (threadIdx.x == Size - 1)
    Row[Size + 1] = In[I + 2];
  __syncthreads();
  Out[I] =
      (Row[threadIdx.x] + 2 * Row[threadIdx.x + 1] + Row[threadIdx.x + 2]) / 4;
}

__global__ void before(const float *In, float *Out) { smooth<32>(In, Out); }

__global__ void after(const float *In, float *Out) { smooth<256>(In, Out); }

int main() {
  const float *In = input<float>(N + 2);
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("small-block-with-tile");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 32, 32>>>(In, Expected);
    else
      after<<<N / 256, 256>>>(In, Out);
}

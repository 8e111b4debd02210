// Rule: cuda-memory-constant-candidate
// Eight weights of each block of threads, loaded from global memory in a loop,
// or all in constant memory.
#include "Pair.cuh"

constexpr int Threads = 1 << 20, Rounds = 32, Sets = 4, Weights = 8;

__constant__ float Known[Sets * Weights];

__global__ void before(const float *Weight, const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const float *Mine = Weight + blockIdx.x % Sets * Weights;
  float X = In[I];
#pragma unroll 2
  for (int R = 0; R < Rounds; ++R)
    X = X * Mine[R % Weights] + 0.5f;
  Out[I] = X;
}

__global__ void after(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const float *Mine = Known + blockIdx.x % Sets * Weights;
  float X = In[I];
#pragma unroll 2
  for (int R = 0; R < Rounds; ++R)
    X = X * Mine[R % Weights] + 0.5f;
  Out[I] = X;
}

int main() {
  const float *Weight = input<float>(Sets * Weights),
              *In = input<float>(Threads);
  const std::vector<float> Copy = onHost(Weight, Sets * Weights);
  must(cudaMemcpyToSymbol(Known, Copy.data(), sizeof(Known)));
  float *Expected = output<float>(Threads), *Out = output<float>(Threads);
  Pair P("constant-table-of-blocks");
  P.same(Expected, Out, Threads);
  while (P.next())
    if (P.beforesTurn())
      before<<<Threads / 256, 256>>>(Weight, In, Expected);
    else
      after<<<Threads / 256, 256>>>(In, Out);
}

// Rule: cuda-memory-bank-conflict
// A signal is filtered by 32 taps and every fourth sample kept: samples are in
// shared memory in their order, or every fourth of them together.
#include "Pair.cuh"

constexpr int N = 1 << 21, Keep = 4, Taps = 32, Block = 256;

__constant__ float Tap[Taps];

__global__ void before(const float *In, float *Out) {
  __shared__ float Near[Keep * Block + Taps];
  const int T = threadIdx.x, Start = blockIdx.x * Keep * Block;
  for (int I = T; I < Keep * Block + Taps; I += Block)
    Near[I] = In[Start + I];
  __syncthreads();
  float Sum = 0;
#pragma unroll
  for (int K = 0; K < Taps; ++K)
    Sum += Tap[K] * Near[Keep * T + K];
  Out[blockIdx.x * Block + T] = Sum;
}

__global__ void after(const float *In, float *Out) {
  __shared__ float Near[Keep][Block + Taps / Keep];
  const int T = threadIdx.x, Start = blockIdx.x * Keep * Block;
  for (int I = T; I < Keep * Block + Taps; I += Block)
    Near[I % Keep][I / Keep] = In[Start + I];
  __syncthreads();
  float Sum = 0;
#pragma unroll
  for (int K = 0; K < Taps; ++K)
    Sum += Tap[K] * Near[K % Keep][T + K / Keep];
  Out[blockIdx.x * Block + T] = Sum;
}

int main() {
  const float *In = input<float>(Keep * N + Taps);
  must(cudaMemcpyToSymbol(Tap, In + 1000, sizeof(Tap), 0,
                          cudaMemcpyDeviceToDevice));
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("decimate-polyphase-shared");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / Block, Block>>>(In, Expected);
    else
      after<<<N / Block, Block>>>(In, Out);
}

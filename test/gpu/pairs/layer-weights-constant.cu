// Rule: cuda-memory-constant-candidate
// A layer of a small network: 16 inputs and 16 outputs per thread, with weights
// that all lanes read alike.
#include "Pair.cuh"

constexpr int N = 1 << 18, Width = 16;

__constant__ float Weights[Width * Width];

__global__ void before(const float *In, const float *Table, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float X[Width];
#pragma unroll
  for (int K = 0; K < Width; ++K)
    X[K] = In[K * N + I];
#pragma unroll
  for (int J = 0; J < Width; ++J) {
    float Sum = 0;
#pragma unroll
    for (int K = 0; K < Width; ++K)
      Sum += Table[J * Width + K] * X[K];
    Out[J * N + I] = fmaxf(Sum, 0);
  }
}

__global__ void after(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float X[Width];
#pragma unroll
  for (int K = 0; K < Width; ++K)
    X[K] = In[K * N + I];
#pragma unroll
  for (int J = 0; J < Width; ++J) {
    float Sum = 0;
#pragma unroll
    for (int K = 0; K < Width; ++K)
      Sum += Weights[J * Width + K] * X[K];
    Out[J * N + I] = fmaxf(Sum, 0);
  }
}

int main() {
  const float *In = input<float>(N * Width),
              *Table = input<float>(Width * Width);
  must(cudaMemcpyToSymbol(Weights, Table, sizeof(Weights), 0,
                          cudaMemcpyDeviceToDevice));
  float *Expected = output<float>(N * Width), *Out = output<float>(N * Width);
  Pair P("layer-weights-constant");
  P.same(Expected, Out, N * Width);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 128, 128>>>(In, Table, Expected);
    else
      after<<<N / 128, 128>>>(In, Out);
}

// Rule: cuda-memory-constant-candidate
// Eight coefficients of a polynomial beside a stream from DRAM: no gain.
#include "Pair.cuh"

constexpr int N = 1 << 24;

__constant__ float Coefficients[8];

__global__ void before(const float *In, const float *Table, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const float X = In[I];
  float Y = 0;
  for (int K = 0; K < 8; ++K)
    Y = Y * X + Table[K];
  Out[I] = Y;
}

__global__ void after(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const float X = In[I];
  float Y = 0;
  for (int K = 0; K < 8; ++K)
    Y = Y * X + Coefficients[K];
  Out[I] = Y;
}

int main() {
  const float *In = input<float>(N), *Table = input<float>(8);
  must(cudaMemcpyToSymbol(Coefficients, Table, sizeof(Coefficients), 0,
                          cudaMemcpyDeviceToDevice));
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("constant-candidate-polynomial");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(In, Table, Expected);
    else
      after<<<N / 256, 256>>>(In, Out);
}

// Rule: cuda-memory-single-result
// Eight coefficients of a polynomial beside a stream from DRAM. As advised, a
// thread makes four results a block's width apart, for which it loads each
// coefficient once.
#include "../Pair.cuh"

constexpr int N = 1 << 24;

__global__ void before(const float *In, const float *Table, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const float X = In[I];
  float Y = 0;
  for (int K = 0; K < 8; ++K)
    Y = Y * X + Table[K];
  Out[I] = Y;
}

constexpr int Each = 4;

__global__ void after(const float *In, const float *Table, float *Out) {
  const int I = blockIdx.x * blockDim.x * Each + threadIdx.x;
  float X[Each], Y[Each];
#pragma unroll
  for (int J = 0; J < Each; ++J) {
    X[J] = In[I + J * blockDim.x];
    Y[J] = 0;
  }
#pragma unroll
  for (int K = 0; K < 8; ++K) {
    const float Coefficient = Table[K];
#pragma unroll
    for (int J = 0; J < Each; ++J)
      Y[J] = Y[J] * X[J] + Coefficient;
  }
#pragma unroll
  for (int J = 0; J < Each; ++J)
    Out[I + J * blockDim.x] = Y[J];
}

int main() {
  const float *In = input<float>(N), *Table = input<float>(8);
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("constant-candidate-polynomial-as-advised");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(In, Table, Expected);
    else
      after<<<N / 256 / Each, 256>>>(In, Table, Out);
}

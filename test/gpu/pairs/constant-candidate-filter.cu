// Rule: cuda-memory-constant-candidate
// 64 coefficients that all lanes read alike, from global or constant memory.
#include "Pair.cuh"

constexpr int N = 1 << 22, Taps = 64;

__constant__ float Coefficients[Taps];

__global__ void before(const float *In, const float *Table, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum = 0;
  for (int T = 0; T < Taps; ++T)
    Sum += Table[T] * In[I + T];
  Out[I] = Sum;
}

__global__ void after(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum = 0;
  for (int T = 0; T < Taps; ++T)
    Sum += Coefficients[T] * In[I + T];
  Out[I] = Sum;
}

int main() {
  const float *In = input<float>(N + Taps), *Table = input<float>(Taps);
  must(cudaMemcpyToSymbol(Coefficients, Table, sizeof(Coefficients), 0,
                          cudaMemcpyDeviceToDevice));
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("constant-candidate-filter");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(In, Table, Expected);
    else
      after<<<N / 256, 256>>>(In, Out);
}

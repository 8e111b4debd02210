// Rule: cuda-memory-array-of-structs
// All five members are read: L1 has the others when they are asked for.
#include "Pair.cuh"

constexpr int N = 1 << 22;

struct Cell {
  float Density, U, V, W, Energy;
};

__global__ void before(const Cell *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const Cell C = In[I];
  Out[I] = C.Energy - 0.5f * C.Density * (C.U * C.U + C.V * C.V + C.W * C.W);
}

__global__ void after(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const float Density = In[I], U = In[N + I], V = In[2 * N + I],
              W = In[3 * N + I], Energy = In[4 * N + I];
  Out[I] = Energy - 0.5f * Density * (U * U + V * V + W * W);
}

int main() {
  const float *In = input<float>(5 * N);
  const float *Split =
      arranged(In, 5 * N, 5 * N, [](size_t I) { return I % N * 5 + I / N; });
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("array-of-structs-all-members");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>((const Cell *)In, Expected);
    else
      after<<<N / 256, 256>>>(Split, Out);
}

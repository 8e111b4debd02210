// Rule: cuda-memory-gather
// Elements picked all over 128 MB; renumbered in the order in which they are
// asked for they are neighbours.
// Options: --buffer=Index=random,count=2097152,below=33554432
// Options: --buffer=Near=iota,count=2097152
#include "Pair.cuh"

constexpr int N = 1 << 21, Table = 1 << 25;

__global__ void before(const float *In, const unsigned *Index, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = In[Index[I]];
}

__global__ void after(const float *In, const unsigned *Near, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = In[Near[I]];
}

int main() {
  const float *In = input<float>(Table);
  const unsigned *Index = input<unsigned>(N, Table);
  const std::vector<float> Old = onHost(In, Table);
  const std::vector<unsigned> From = onHost(Index, N);
  std::vector<float> New(N);
  std::vector<unsigned> To(N);
  for (int I = 0; I < N; ++I) {
    To[I] = I;
    New[I] = Old[From[I]];
  }
  const float *Renumbered = onDevice(New);
  const unsigned *Near = onDevice(To);
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("gather-renumbered");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(In, Index, Expected);
    else
      after<<<N / 256, 256>>>(Renumbered, Near, Out);
}

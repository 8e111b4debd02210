// Rule: cuda-memory-uncoalesced-access
// Records of seven members, written one member after the other: each store
// fills a part of 28 sectors. Or one array for each member.
#include "Pair.cuh"

constexpr int N = 1 << 21;

struct Record {
  float Members[7];
};

__global__ void before(const float *In, Record *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const float X = In[I];
#pragma unroll
  for (int M = 0; M < 7; ++M)
    Out[I].Members[M] = X * (M + 1);
}

__global__ void after(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const float X = In[I];
#pragma unroll
  for (int M = 0; M < 7; ++M)
    Out[M * N + I] = X * (M + 1);
}

int main() {
  const float *In = input<float>(N);
  float *Expected = output<float>(7 * N), *Out = output<float>(7 * N);
  Pair P("records-stored-long");
  P.same(Expected, Out, 7 * N, [](size_t I) { return I % 7 * N + I / 7; });
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(In, (Record *)Expected);
    else
      after<<<N / 256, 256>>>(In, Out);
}

// Rule: cuda-memory-uncoalesced-access
// Each thread adds up its run of four and stores the four sums one by one; it
// loads them one by one, too, or at once.
#include "Pair.cuh"

constexpr int N = 1 << 24;

__global__ void before(const float *In, float *Out) {
  const int First = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  float Sum = 0;
#pragma unroll
  for (int I = 0; I < 4; ++I) {
    Sum += In[First + I];
    Out[First + I] = Sum;
  }
}

__global__ void after(const float *In, float *Out) {
  const int First = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  const float4 V = *(const float4 *)&In[First];
  float Sum = V.x;
  Out[First] = Sum;
  Out[First + 1] = Sum += V.y;
  Out[First + 2] = Sum += V.z;
  Out[First + 3] = Sum += V.w;
}

int main() {
  const float *In = input<float>(N);
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("runs-of-four-loaded-at-once");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 1024, 256>>>(In, Expected);
    else
      after<<<N / 1024, 256>>>(In, Out);
}

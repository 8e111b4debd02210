// Rule: cuda-memory-bank-conflict
// Pairs are swapped in shared memory, two passes instead of one, while DRAM
// takes all the time.
#include "Pair.cuh"

constexpr int N = 1 << 24;

__global__ void before(const float *In, float *Out) {
  __shared__ float Line[512];
  const int T = threadIdx.x, Start = blockIdx.x * 512;
  Line[T] = In[Start + T];
  Line[T + 256] = In[Start + T + 256];
  __syncthreads();
  Out[Start + T] = Line[2 * T];
  Out[Start + T + 256] = Line[2 * T + 1];
}

__global__ void after(const float *In, float *Out) {
  __shared__ float Even[256], Odd[272];
  const int T = threadIdx.x, Start = blockIdx.x * 512;
  float *Half = T % 2 ? Odd + 16 : Even;
  Half[T / 2] = In[Start + T];
  Half[T / 2 + 128] = In[Start + T + 256];
  __syncthreads();
  Out[Start + T] = Even[T];
  Out[Start + T + 256] = Odd[T + 16];
}

int main() {
  const float *In = input<float>(N);
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("bank-hidden-by-dram");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 512, 256>>>(In, Expected);
    else
      after<<<N / 512, 256>>>(In, Out);
}

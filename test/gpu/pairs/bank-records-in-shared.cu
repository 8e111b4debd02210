// Rule: cuda-memory-bank-conflict
// Records of eight floats in shared memory, by records or by members.
#include "Pair.cuh"

constexpr int Blocks = 2048, Rounds = 16;

struct Body {
  float Of[8];
};

__global__ void before(const float *In, float *Out) {
  __shared__ Body Bodies[128];
  const int T = threadIdx.x;
  for (int M = 0; M < 8; ++M)
    Bodies[T].Of[M] = In[(blockIdx.x * 8 + M) * 128 + T];
  __syncthreads();
  float Sum = 0;
  for (int R = 0; R < Rounds; ++R)
    for (int M = 0; M < 8; M += 2)
      Sum += Bodies[(T + R) % 128].Of[M];
  Out[blockIdx.x * 128 + T] = Sum;
}

__global__ void after(const float *In, float *Out) {
  __shared__ float Bodies[8][128];
  const int T = threadIdx.x;
  for (int M = 0; M < 8; ++M)
    Bodies[M][T] = In[(blockIdx.x * 8 + M) * 128 + T];
  __syncthreads();
  float Sum = 0;
  for (int R = 0; R < Rounds; ++R)
    for (int M = 0; M < 8; M += 2)
      Sum += Bodies[M][(T + R) % 128];
  Out[blockIdx.x * 128 + T] = Sum;
}

int main() {
  const float *In = input<float>(Blocks * 8 * 128);
  float *Expected = output<float>(Blocks * 128),
        *Out = output<float>(Blocks * 128);
  Pair P("bank-records-in-shared");
  P.same(Expected, Out, Blocks * 128);
  while (P.next())
    if (P.beforesTurn())
      before<<<Blocks, 128>>>(In, Expected);
    else
      after<<<Blocks, 128>>>(In, Out);
}

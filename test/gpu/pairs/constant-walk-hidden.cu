// Rule: cuda-memory-constant-walk
// A table of 4 KiB in constant memory, a line of the cache with each load, in a
// kernel that waits for sixteen loads from DRAM meanwhile.
#include "Pair.cuh"

constexpr int Threads = 1 << 17, Rounds = 64, Between = 16, Step = 16;

__constant__ float Table[Rounds * Step], Dense[Rounds];

__global__ void before(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum = 0;
  for (int R = 0; R < Rounds; ++R) {
    float Part = 0;
#pragma unroll
    for (int K = 0; K < Between; ++K)
      Part += In[(size_t(R) * Between + K) * Threads + I];
    Sum += Table[R * Step] * Part;
  }
  Out[I] = Sum;
}

__global__ void after(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum = 0;
  for (int R = 0; R < Rounds; ++R) {
    float Part = 0;
#pragma unroll
    for (int K = 0; K < Between; ++K)
      Part += In[(size_t(R) * Between + K) * Threads + I];
    Sum += Dense[R] * Part;
  }
  Out[I] = Sum;
}

int main() {
  const float *In = input<float>(size_t(Rounds) * Between * Threads),
              *Weight = input<float>(Rounds);
  const std::vector<float> Known = onHost(Weight, Rounds);
  std::vector<float> Apart(Rounds * Step);
  for (int R = 0; R < Rounds; ++R)
    Apart[R * Step] = Known[R];
  must(cudaMemcpyToSymbol(Table, Apart.data(), sizeof(Table)));
  must(cudaMemcpyToSymbol(Dense, Known.data(), sizeof(Dense)));
  float *Expected = output<float>(Threads), *Out = output<float>(Threads);
  Pair P("constant-walk-hidden");
  P.same(Expected, Out, Threads);
  while (P.next())
    if (P.beforesTurn())
      before<<<Threads / 256, 256>>>(In, Expected);
    else
      after<<<Threads / 256, 256>>>(In, Out);
}

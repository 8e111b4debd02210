// Rule: cuda-memory-early-reduction
// The entropy of a mixture summed over its cells: each takes six logarithms
// and powers, beside which it is little what a block does to sum up; a thread
// takes one cell before, or sixteen.
#include "Pair.cuh"

constexpr int Cells = 1 << 21, Block = 256, Each = 16;

__device__ float entropy(float4 Share) {
  const float Sum = Share.x + Share.y + Share.z + Share.w + 0.1f;
  const float X = Share.x / Sum + 1e-3f, Y = Share.y / Sum + 1e-3f,
              Z = Share.z / Sum + 1e-3f, W = Share.w / Sum + 1e-3f;
  return X * logf(X) + Y * logf(Y) + Z * logf(Z) + W * logf(W) +
         powf(X, 1.5f) * powf(Y, 0.5f) + sinf(Z) * expf(W);
}

__device__ void addOfBlock(float Mine, float *Total) {
  __shared__ float Sums[Block / 32];
  for (int Far = 16; Far > 0; Far /= 2)
    Mine += __shfl_xor_sync(0xffffffff, Mine, Far);
  if (threadIdx.x % 32 == 0)
    Sums[threadIdx.x / 32] = Mine;
  __syncthreads();
  if (threadIdx.x == 0) {
    Mine = 0;
    for (int W = 0; W < Block / 32; ++W)
      Mine += Sums[W];
    atomicAdd(Total, Mine);
  }
}

__global__ void before(const float4 *__restrict__ Share,
                       float *__restrict__ Total) {
  addOfBlock(entropy(Share[blockIdx.x * Block + threadIdx.x]), Total);
}

__global__ void after(const float4 *__restrict__ Share,
                      float *__restrict__ Total) {
  float Mine = 0;
  for (int I = blockIdx.x * Block + threadIdx.x; I < Cells;
       I += gridDim.x * Block)
    Mine += entropy(Share[I]);
  addOfBlock(Mine, Total);
}

int main() {
  const float4 *Share = (const float4 *)input<float>(4 * Cells);
  float *Expected = output<float>(1), *Out = output<float>(1);
  Pair P("entropy-of-cells-elements-first");
  P.same(Expected, Out, 1);
  while (P.next())
    if (P.beforesTurn())
      before<<<Cells / Block, Block>>>(Share, Expected);
    else
      after<<<Cells / Block / Each, Block>>>(Share, Out);
}

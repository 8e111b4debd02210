// Rule: cuda-memory-atomic-contention
// The histogram of distances between particles (radial distribution function),
// 160 bins in shared memory: one for the block, or one for each of its eight
// warps, added up in the end. The usual advice against contention, from the
// histogram of NVIDIA's samples; distances of neighbouring lanes differ anyway.
#include "Pair.cuh"

constexpr int Particles = 12288, Chunk = 768, Bins = 160, Block = 256;

__device__ int bin(float4 A, float4 B) {
  const float X = A.x - B.x, Y = A.y - B.y, Z = A.z - B.z;
  return min(int(sqrtf(fmaf(X, X, fmaf(Y, Y, Z * Z))) * 92), Bins - 1);
}

__global__ void before(const float4 *__restrict__ At, unsigned *Histogram) {
  __shared__ float4 Others[Block];
  __shared__ unsigned Counts[Bins];
  for (int B = threadIdx.x; B < Bins; B += Block)
    Counts[B] = 0;
  const float4 Mine = At[blockIdx.x * Block + threadIdx.x];
  for (int C = 0; C < Chunk; C += Block) {
    __syncthreads();
    Others[threadIdx.x] = At[blockIdx.y * Chunk + C + threadIdx.x];
    __syncthreads();
    for (int K = 0; K < Block; ++K)
      atomicAdd(&Counts[bin(Mine, Others[K])], 1u);
  }
  __syncthreads();
  for (int B = threadIdx.x; B < Bins; B += Block)
    atomicAdd(&Histogram[B], Counts[B]);
}

__global__ void after(const float4 *__restrict__ At, unsigned *Histogram) {
  __shared__ float4 Others[Block];
  __shared__ unsigned Counts[Block / 32][Bins];
  for (int B = threadIdx.x; B < Block / 32 * Bins; B += Block)
    Counts[B / Bins][B % Bins] = 0;
  unsigned *Own = Counts[threadIdx.x / 32];
  const float4 Mine = At[blockIdx.x * Block + threadIdx.x];
  for (int C = 0; C < Chunk; C += Block) {
    __syncthreads();
    Others[threadIdx.x] = At[blockIdx.y * Chunk + C + threadIdx.x];
    __syncthreads();
    for (int K = 0; K < Block; ++K)
      atomicAdd(&Own[bin(Mine, Others[K])], 1u);
  }
  __syncthreads();
  for (int B = threadIdx.x; B < Bins; B += Block) {
    unsigned Sum = 0;
    for (int W = 0; W < Block / 32; ++W)
      Sum += Counts[W][B];
    atomicAdd(&Histogram[B], Sum);
  }
}

int main() {
  const float4 *At =
      reinterpret_cast<const float4 *>(input<float>(4 * Particles));
  unsigned *Expected = output<unsigned>(Bins), *Out = output<unsigned>(Bins);
  Pair P("pair-distances-counted-per-warp");
  P.same(Expected, Out, Bins);
  const dim3 Grid(Particles / Block, Particles / Chunk);
  while (P.next())
    if (P.beforesTurn())
      before<<<Grid, Block>>>(At, Expected);
    else
      after<<<Grid, Block>>>(At, Out);
}

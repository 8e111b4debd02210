// Rule: cuda-memory-repeated-pass
// Group normalisation of feature maps with SiLU after it: a group to a block
// of 1024 threads, or to a cluster of eight such blocks that exchange their
// sums through distributed shared memory.
#include "Pair.cuh"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

constexpr int Images = 2, Groups = 16, PerGroup = 20, Pixels = 64 * 64;
constexpr int Count = PerGroup * Pixels, Blocks = 8;
constexpr size_t Total = size_t(Images) * Groups * Count;

__device__ float2 blockSums(float Sum, float Squares) {
  __shared__ float2 Parts[32];
  for (int D = 16; D > 0; D /= 2) {
    Sum += __shfl_xor_sync(~0u, Sum, D);
    Squares += __shfl_xor_sync(~0u, Squares, D);
  }
  if (threadIdx.x % 32 == 0)
    Parts[threadIdx.x / 32] = make_float2(Sum, Squares);
  __syncthreads();
  float2 S = make_float2(0, 0);
  for (unsigned I = 0; I < blockDim.x / 32; ++I) {
    S.x += Parts[I].x;
    S.y += Parts[I].y;
  }
  return S;
}

__device__ float normalised(float X, float2 S, float Gamma, float Beta) {
  const float Mean = S.x / Count;
  const float Scale = rsqrtf(S.y / Count - Mean * Mean + 1e-5f);
  const float Y = (X - Mean) * Scale * Gamma + Beta;
  return Y / (1.f + __expf(-Y));
}

__global__ void before(const float *In, const float *Gamma, const float *Beta,
                       float *Out) {
  const size_t Base = size_t(blockIdx.x) * Count;
  const int Channel = blockIdx.x % Groups * PerGroup;
  float Sum = 0, Squares = 0;
  for (int I = threadIdx.x; I < Count; I += blockDim.x) {
    const float X = In[Base + I];
    Sum += X;
    Squares += X * X;
  }
  const float2 S = blockSums(Sum, Squares);
  for (int I = threadIdx.x; I < Count; I += blockDim.x)
    Out[Base + I] = normalised(In[Base + I], S, Gamma[Channel + I / Pixels],
                               Beta[Channel + I / Pixels]);
}

__global__ void __cluster_dims__(Blocks, 1, 1)
    after(const float *In, const float *Gamma, const float *Beta, float *Out) {
  __shared__ float2 Mine;
  cg::cluster_group Cluster = cg::this_cluster();
  const int Group = blockIdx.x / Blocks;
  const size_t Base = size_t(Group) * Count;
  const int Channel = Group % Groups * PerGroup;
  const int First = Cluster.block_rank() * blockDim.x + threadIdx.x;
  const int Step = Blocks * blockDim.x;
  float Sum = 0, Squares = 0;
  for (int I = First; I < Count; I += Step) {
    const float X = In[Base + I];
    Sum += X;
    Squares += X * X;
  }
  const float2 Part = blockSums(Sum, Squares);
  if (threadIdx.x == 0)
    Mine = Part;
  Cluster.sync();
  float2 S = make_float2(0, 0);
  for (int R = 0; R < Blocks; ++R) {
    const float2 Other = *Cluster.map_shared_rank(&Mine, R);
    S.x += Other.x;
    S.y += Other.y;
  }
  Cluster.sync();
  for (int I = First; I < Count; I += Step)
    Out[Base + I] = normalised(In[Base + I], S, Gamma[Channel + I / Pixels],
                               Beta[Channel + I / Pixels]);
}

int main() {
  const float *In = input<float>(Total),
              *Gamma = input<float>(Groups * PerGroup),
              *Beta = input<float>(Groups * PerGroup);
  float *Expected = output<float>(Total), *Out = output<float>(Total);
  Pair P("group-norm-by-clusters");
  P.same(Expected, Out, Total);
  while (P.next())
    if (P.beforesTurn())
      before<<<Images * Groups, 1024>>>(In, Gamma, Beta, Expected);
    else
      after<<<Images * Groups * Blocks, 1024>>>(In, Gamma, Beta, Out);
}

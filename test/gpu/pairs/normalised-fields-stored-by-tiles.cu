// Rule: cuda-memory-uncoalesced-access
// The channels of each field of a board, divided by the root of their mean
// square: a block a field, whose lanes hold channels that lie a plane apart; or
// a block for 32 fields, the lanes along them.
#include "Pair.cuh"

constexpr int Boards = 64, Channels = 256, Area = 384;

__global__ void before(const float *In, const float *Gamma, float *Out) {
  __shared__ float Sums[8];
  const int B = blockIdx.x / Area, At = blockIdx.x % Area;
  const int C = threadIdx.x;
  const float X = In[(B * Channels + C) * Area + At];
  float Sum = X * X;
  for (int Step = 16; Step > 0; Step /= 2)
    Sum += __shfl_xor_sync(~0u, Sum, Step);
  if (C % 32 == 0)
    Sums[C / 32] = Sum;
  __syncthreads();
  Sum = 0;
  for (int W = 0; W < 8; ++W)
    Sum += Sums[W];
  Out[(B * Channels + C) * Area + At] =
      X * rsqrtf(Sum / Channels + 1e-5f) * Gamma[C];
}

__global__ void after(const float *In, const float *Gamma, float *Out) {
  __shared__ float Sums[8][32];
  const int B = blockIdx.x / (Area / 32), At = blockIdx.x % (Area / 32) * 32;
  const int Lane = threadIdx.x, W = threadIdx.y;
  float Sum = 0;
  for (int C = W; C < Channels; C += 8) {
    const float X = In[(B * Channels + C) * Area + At + Lane];
    Sum += X * X;
  }
  Sums[W][Lane] = Sum;
  __syncthreads();
  Sum = 0;
  for (int V = 0; V < 8; ++V)
    Sum += Sums[V][Lane];
  const float By = rsqrtf(Sum / Channels + 1e-5f);
  for (int C = W; C < Channels; C += 8) {
    const int I = (B * Channels + C) * Area + At + Lane;
    Out[I] = In[I] * By * Gamma[C];
  }
}

int main() {
  const size_t All = size_t(Boards) * Channels * Area;
  const float *In = input<float>(All), *Gamma = input<float>(Channels);
  float *Expected = output<float>(All), *Out = output<float>(All);
  Pair P("normalised-fields-stored-by-tiles");
  P.same(Expected, Out, All);
  while (P.next())
    if (P.beforesTurn())
      before<<<Boards * Area, Channels>>>(In, Gamma, Expected);
    else
      after<<<Boards * Area / 32, dim3(32, 8)>>>(In, Gamma, Out);
}

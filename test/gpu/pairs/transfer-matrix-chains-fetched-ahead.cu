// Rule: cuda-memory-synchronous-staging
// Chains of 64 transfer matrices of 32 x 32, applied one after the other to a
// vector that a block keeps in shared memory: a matrix is read when its turn
// comes, or into registers one step ahead.
#include "Pair.cuh"

constexpr int Chains = 528, Steps = 64, States = 32, Threads = 128;
constexpr int Matrix = States * States / 4; // in float4

// Four threads share a row.
__device__ float rowTimes(float4 A, float4 B, const float *State) {
  const int Part = threadIdx.x % 4;
  const float4 V = reinterpret_cast<const float4 *>(State)[Part],
               W = reinterpret_cast<const float4 *>(State)[Part + 4];
  float Sum = A.x * V.x + A.y * V.y + A.z * V.z + A.w * V.w + B.x * W.x +
              B.y * W.y + B.z * W.z + B.w * W.w;
  Sum += __shfl_xor_sync(~0u, Sum, 1);
  Sum += __shfl_xor_sync(~0u, Sum, 2);
  return Sum / (States / 2);
}

__global__ void before(const float4 *__restrict__ Layers,
                       const float *__restrict__ Start,
                       float *__restrict__ End) {
  __shared__ alignas(16) float State[2][States];
  const int Row = threadIdx.x / 4, Place = Row * 8 + threadIdx.x % 4;
  const float4 *Chain = Layers + blockIdx.x * Steps * Matrix + Place;
  if (threadIdx.x < States)
    State[0][threadIdx.x] = Start[blockIdx.x * States + threadIdx.x];
  __syncthreads();
  for (int S = 0; S < Steps; ++S) {
    const float4 A = Chain[S * Matrix], B = Chain[S * Matrix + 4];
    const float New = rowTimes(A, B, State[S % 2]);
    if (threadIdx.x % 4 == 0)
      State[(S + 1) % 2][Row] = New;
    __syncthreads();
  }
  if (threadIdx.x < States)
    End[blockIdx.x * States + threadIdx.x] = State[Steps % 2][threadIdx.x];
}

__global__ void after(const float4 *__restrict__ Layers,
                      const float *__restrict__ Start,
                      float *__restrict__ End) {
  __shared__ alignas(16) float State[2][States];
  const int Row = threadIdx.x / 4, Place = Row * 8 + threadIdx.x % 4;
  const float4 *Chain = Layers + blockIdx.x * Steps * Matrix + Place;
  if (threadIdx.x < States)
    State[0][threadIdx.x] = Start[blockIdx.x * States + threadIdx.x];
  float4 A = Chain[0], B = Chain[4];
  __syncthreads();
  for (int S = 0; S < Steps; ++S) {
    const int Next = min(S + 1, Steps - 1);
    const float4 NextA = Chain[Next * Matrix], NextB = Chain[Next * Matrix + 4];
    const float New = rowTimes(A, B, State[S % 2]);
    if (threadIdx.x % 4 == 0)
      State[(S + 1) % 2][Row] = New;
    A = NextA;
    B = NextB;
    __syncthreads();
  }
  if (threadIdx.x < States)
    End[blockIdx.x * States + threadIdx.x] = State[Steps % 2][threadIdx.x];
}

int main() {
  const float4 *Layers = reinterpret_cast<const float4 *>(
      input<float>(size_t(Chains) * Steps * Matrix * 4));
  const float *Start = input<float>(Chains * States);
  float *Expected = output<float>(Chains * States),
        *Out = output<float>(Chains * States);
  Pair P("transfer-matrix-chains-fetched-ahead");
  P.same(Expected, Out, Chains * States);
  while (P.next())
    if (P.beforesTurn())
      before<<<Chains, Threads>>>(Layers, Start, Expected);
    else
      after<<<Chains, Threads>>>(Layers, Start, Out);
}

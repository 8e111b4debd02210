// Rule: cuda-memory-missing-reuse
// Errors of predicted ratings by factors of users and items and their biases,
// of which the user's drifts and one is the day's. The effects of 2048 days are
// read as they are, or each block first copies all of them to shared memory.
// Options: --buffer=User=random,count=1048576,below=131072
// Options: --buffer=Item=random,count=1048576,below=32768
// Options: --buffer=Day=random,count=1048576,below=2048
#include "Pair.cuh"

constexpr int N = 1 << 20, Users = 1 << 17, Items = 1 << 15, Days = 2048;
constexpr int Quads = 4, Block = 256;

__device__ float dot(float4 A, float4 B) {
  return 0.5f * (A.x * B.x + A.y * B.y + A.z * B.z + A.w * B.w);
}

// Bias of a user, who drifts from a middle day on.
__device__ float drifted(float4 Bias, int Day) {
  const float Away = (Day - Bias.y * Days) / Days;
  const float Power = __powf(fabsf(Away) + 1e-6f, 0.4f);
  return Bias.x + Bias.z * copysignf(Power, Away);
}

__global__ void before(const int *__restrict__ User,
                       const int *__restrict__ Item,
                       const int *__restrict__ Day,
                       const float *__restrict__ Rating,
                       const float4 *__restrict__ UserFactors,
                       const float4 *__restrict__ ItemFactors,
                       const float4 *__restrict__ UserBias,
                       const float *__restrict__ ItemBias,
                       const float *__restrict__ Effect,
                       float *__restrict__ Error) {
  const int I = blockIdx.x * Block + threadIdx.x;
  const int U = User[I], J = Item[I], D = Day[I];
  float Sum = drifted(UserBias[U], D) + ItemBias[J] + Effect[D];
#pragma unroll
  for (int Q = 0; Q < Quads; ++Q)
    Sum += dot(UserFactors[U * Quads + Q], ItemFactors[J * Quads + Q]);
  Error[I] = 5.0f * Rating[I] - fminf(fmaxf(Sum, 1.0f), 5.0f);
}

__global__ void after(const int *__restrict__ User,
                      const int *__restrict__ Item, const int *__restrict__ Day,
                      const float *__restrict__ Rating,
                      const float4 *__restrict__ UserFactors,
                      const float4 *__restrict__ ItemFactors,
                      const float4 *__restrict__ UserBias,
                      const float *__restrict__ ItemBias,
                      const float *__restrict__ Effect,
                      float *__restrict__ Error) {
  __shared__ float Near[Days];
  for (int D = threadIdx.x; D < Days; D += Block)
    Near[D] = Effect[D];
  __syncthreads();
  const int I = blockIdx.x * Block + threadIdx.x;
  const int U = User[I], J = Item[I], D = Day[I];
  float Sum = drifted(UserBias[U], D) + ItemBias[J] + Near[D];
#pragma unroll
  for (int Q = 0; Q < Quads; ++Q)
    Sum += dot(UserFactors[U * Quads + Q], ItemFactors[J * Quads + Q]);
  Error[I] = 5.0f * Rating[I] - fminf(fmaxf(Sum, 1.0f), 5.0f);
}

int main() {
  const int *User = input<int>(N, Users), *Item = input<int>(N, Items),
            *Day = input<int>(N, Days);
  const float *Rating = input<float>(N), *ItemBias = input<float>(Items),
              *Effect = input<float>(Days);
  const float4 *OfUser = (const float4 *)input<float>(Users * Quads * 4),
               *OfItem = (const float4 *)input<float>(Items * Quads * 4),
               *UserBias = (const float4 *)input<float>(Users * 4);
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("day-effects-copied-to-shared");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / Block, Block>>>(User, Item, Day, Rating, OfUser, OfItem,
                                   UserBias, ItemBias, Effect, Expected);
    else
      after<<<N / Block, Block>>>(User, Item, Day, Rating, OfUser, OfItem,
                                  UserBias, ItemBias, Effect, Out);
}

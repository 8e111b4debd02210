// Rule: cuda-memory-synchronous-staging
// Linear attention with a decaying state of 64 x 64 per head: a thread has a
// column of the state in registers and goes through time. Eight steps of
// receptances, keys, decays and values are staged in shared memory and then
// used, or copied by cp.async while the eight before them are.
#include "Pair.cuh"
#include <cuda_pipeline.h>

constexpr int Dim = 64, Heads = 256, Steps = 512, Chunk = 8;

struct Stage {
  float4 Receptance[Chunk][Dim / 4], Key[Chunk][Dim / 4], Decay[Chunk][Dim / 4];
  float Value[Chunk][Dim];
};

__device__ void advance(float &State, float &Sum, float Receptance, float Key,
                        float Decay, float Value) {
  State = Decay * State + Key * Value;
  Sum += Receptance * State;
}

__device__ void walk(const Stage &S, float (&State)[Dim],
                     float *__restrict__ Out) {
  const int Column = threadIdx.x;
#pragma unroll 1
  for (int T = 0; T < Chunk; ++T) {
    const float Value = S.Value[T][Column];
    float Sum[4] = {};
#pragma unroll
    for (int D = 0; D < Dim / 4; ++D) {
      const float4 R = S.Receptance[T][D], K = S.Key[T][D], W = S.Decay[T][D];
      advance(State[4 * D], Sum[0], R.x, K.x, W.x, Value);
      advance(State[4 * D + 1], Sum[1], R.y, K.y, W.y, Value);
      advance(State[4 * D + 2], Sum[2], R.z, K.z, W.z, Value);
      advance(State[4 * D + 3], Sum[3], R.w, K.w, W.w, Value);
    }
    Out[T * Dim + Column] = (Sum[0] + Sum[1]) + (Sum[2] + Sum[3]);
  }
}

__global__ void __launch_bounds__(Dim)
    before(const float4 *__restrict__ Receptance,
           const float4 *__restrict__ Key, const float4 *__restrict__ Decay,
           const float4 *__restrict__ Value, float *__restrict__ Out) {
  __shared__ Stage S;
  const int Head = blockIdx.x * Steps * Dim;
  float State[Dim] = {};
  for (int First = 0; First < Steps; First += Chunk) {
    const int From = (Head + First * Dim) / 4;
    __syncthreads();
#pragma unroll
    for (int I = threadIdx.x; I < Chunk * Dim / 4; I += Dim) {
      (&S.Receptance[0][0])[I] = Receptance[From + I];
      (&S.Key[0][0])[I] = Key[From + I];
      (&S.Decay[0][0])[I] = Decay[From + I];
      ((float4 *)S.Value)[I] = Value[From + I];
    }
    __syncthreads();
    walk(S, State, Out + Head + First * Dim);
  }
}

__global__ void __launch_bounds__(Dim)
    after(const float4 *__restrict__ Receptance, const float4 *__restrict__ Key,
          const float4 *__restrict__ Decay, const float4 *__restrict__ Value,
          float *__restrict__ Out) {
  __shared__ Stage Both[2];
  const int Head = blockIdx.x * Steps * Dim;
  const auto Copy = [&](int First) {
    Stage &S = Both[First / Chunk % 2];
    const int From = (Head + First * Dim) / 4;
#pragma unroll
    for (int I = threadIdx.x; I < Chunk * Dim / 4; I += Dim) {
      __pipeline_memcpy_async(&S.Receptance[0][0] + I, Receptance + From + I,
                              16);
      __pipeline_memcpy_async(&S.Key[0][0] + I, Key + From + I, 16);
      __pipeline_memcpy_async(&S.Decay[0][0] + I, Decay + From + I, 16);
      __pipeline_memcpy_async((float4 *)S.Value + I, Value + From + I, 16);
    }
  };
  float State[Dim] = {};
  Copy(0);
  __pipeline_commit();
  for (int First = 0; First < Steps; First += Chunk) {
    if (First + Chunk < Steps)
      Copy(First + Chunk);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    walk(Both[First / Chunk % 2], State, Out + Head + First * Dim);
    __syncthreads();
  }
}

int main() {
  constexpr size_t Count = size_t(Heads) * Steps * Dim;
  const float *In = input<float>(4 * Count);
  const float4 *Receptance = (const float4 *)In, *Key = Receptance + Count / 4,
               *Decay = Key + Count / 4, *Value = Decay + Count / 4;
  float *Expected = output<float>(Count), *Out = output<float>(Count);
  Pair P("gated-state-chunks-ahead");
  P.same(Expected, Out, Count);
  while (P.next())
    if (P.beforesTurn())
      before<<<Heads, Dim>>>(Receptance, Key, Decay, Value, Expected);
    else
      after<<<Heads, Dim>>>(Receptance, Key, Decay, Value, Out);
}

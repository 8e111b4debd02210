// Rule: cuda-memory-needless-staging
// Bids of 16384 persons for 1024 objects in an auction for an assignment: a
// warp a person finds the best and the second best of values less prices. The
// prices, the same for all, are read as they are or copied to shared memory.
#include "Pair.cuh"

constexpr int Persons = 1 << 14, Objects = 1 << 10, Warps = 8;

struct Choice {
  float Best, Second;
  int At;
};

__device__ void consider(Choice &C, float Gain, int At) {
  if (Gain > C.Best) {
    C.Second = C.Best;
    C.Best = Gain;
    C.At = At;
  } else {
    C.Second = fmaxf(C.Second, Gain);
  }
}

__device__ void bid(Choice C, int Person, float Epsilon, int *Wanted,
                    float *Raise) {
  for (int Step = 16; Step > 0; Step /= 2) {
    const float Best = __shfl_xor_sync(~0u, C.Best, Step);
    const float Second = __shfl_xor_sync(~0u, C.Second, Step);
    const int At = __shfl_xor_sync(~0u, C.At, Step);
    const bool Takes = Best > C.Best || (Best == C.Best && At < C.At);
    C.Second = fmaxf(fminf(Best, C.Best), fmaxf(Second, C.Second));
    C.Best = fmaxf(Best, C.Best);
    C.At = Takes ? At : C.At;
  }
  if (threadIdx.x != 0)
    return;
  Wanted[Person] = C.At;
  Raise[Person] = C.Best - C.Second + Epsilon;
}

__global__ void before(const float4 *__restrict__ Value,
                       const float4 *__restrict__ Price, float Epsilon,
                       int *__restrict__ Wanted, float *__restrict__ Raise) {
  const int Person = blockIdx.x * Warps + threadIdx.y;
  Choice C = {-1e30f, -1e30f, 0};
#pragma unroll 4
  for (int I = threadIdx.x; I < Objects / 4; I += 32) {
    const float4 V = Value[Person * (Objects / 4) + I], P = Price[I];
    consider(C, V.x - P.x, 4 * I);
    consider(C, V.y - P.y, 4 * I + 1);
    consider(C, V.z - P.z, 4 * I + 2);
    consider(C, V.w - P.w, 4 * I + 3);
  }
  bid(C, Person, Epsilon, Wanted, Raise);
}

__global__ void after(const float4 *__restrict__ Value,
                      const float4 *__restrict__ Price, float Epsilon,
                      int *__restrict__ Wanted, float *__restrict__ Raise) {
  __shared__ float4 Near[Objects / 4];
  const int Person = blockIdx.x * Warps + threadIdx.y;
  const int T = threadIdx.y * 32 + threadIdx.x;
  Near[T] = Price[T];
  __syncthreads();
  Choice C = {-1e30f, -1e30f, 0};
#pragma unroll 4
  for (int I = threadIdx.x; I < Objects / 4; I += 32) {
    const float4 V = Value[Person * (Objects / 4) + I], P = Near[I];
    consider(C, V.x - P.x, 4 * I);
    consider(C, V.y - P.y, 4 * I + 1);
    consider(C, V.z - P.z, 4 * I + 2);
    consider(C, V.w - P.w, 4 * I + 3);
  }
  bid(C, Person, Epsilon, Wanted, Raise);
}

int main() {
  const float4 *Value = (const float4 *)input<float>(Persons * Objects);
  const float4 *Price = (const float4 *)input<float>(Objects);
  int *Expected = output<int>(Persons), *Out = output<int>(Persons);
  float *ExpectedRaise = output<float>(Persons),
        *OutRaise = output<float>(Persons);
  Pair P("auction-prices-in-shared");
  P.same(Expected, Out, Persons);
  P.same(ExpectedRaise, OutRaise, Persons);
  while (P.next())
    if (P.beforesTurn())
      before<<<Persons / Warps, dim3(32, Warps)>>>(Value, Price, 0.001f,
                                                   Expected, ExpectedRaise);
    else
      after<<<Persons / Warps, dim3(32, Warps)>>>(Value, Price, 0.001f, Out,
                                                  OutRaise);
}

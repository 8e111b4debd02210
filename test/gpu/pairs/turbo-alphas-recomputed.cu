// Rule: ?
// One half of a turbo decoder (max-log, eight states), a thread a window of 64
// bits: what the forward sweep finds of all states is stored for the backward
// sweep, 32 bytes a bit; or only at every eighth bit, and worked out anew, into
// registers, on the way back.
#include "Pair.cuh"

constexpr int Windows = 1 << 17, Bits = 64, States = 8, Segment = 8;

// The shift register's new bit, and from it the state and the parity.
__device__ constexpr int fed(int State, int Bit) {
  return Bit ^ (State >> 1 & 1) ^ (State & 1);
}
__device__ constexpr int next(int State, int Bit) {
  return fed(State, Bit) << 2 | State >> 1;
}
__device__ constexpr int parity(int State, int Bit) {
  return fed(State, Bit) ^ State >> 2 ^ (State & 1);
}

__device__ float branch(int State, int Bit, float2 L) {
  return (Bit ? L.x : 0) + (parity(State, Bit) ? L.y : 0);
}

__device__ float2 likelihood(const float2 *Received, int B) {
  const float2 R =
      Received[B * Windows + blockIdx.x * blockDim.x + threadIdx.x];
  return {8 * R.x - 4, 8 * R.y - 4};
}

__device__ __forceinline__ void goForward(float *Alpha, float2 L) {
  float New[States];
#pragma unroll
  for (int S = 0; S < States; ++S)
    New[S] = -1e9f;
#pragma unroll
  for (int S = 0; S < States; ++S)
#pragma unroll
    for (int Bit = 0; Bit < 2; ++Bit)
      New[next(S, Bit)] =
          fmaxf(New[next(S, Bit)], Alpha[S] + branch(S, Bit, L));
#pragma unroll
  for (int S = 0; S < States; ++S)
    Alpha[S] = New[S] - New[0];
}

// Returns what is now believed of the bit.
__device__ __forceinline__ float goBack(const float *Alpha, float *Beta,
                                        float2 L) {
  float Best[2] = {-1e9f, -1e9f}, New[States];
#pragma unroll
  for (int S = 0; S < States; ++S) {
    New[S] = -1e9f;
#pragma unroll
    for (int Bit = 0; Bit < 2; ++Bit) {
      const float Rest = Beta[next(S, Bit)] + branch(S, Bit, L);
      New[S] = fmaxf(New[S], Rest);
      Best[Bit] = fmaxf(Best[Bit], Alpha[S] + Rest);
    }
  }
#pragma unroll
  for (int S = 0; S < States; ++S)
    Beta[S] = New[S] - New[0];
  return Best[1] - Best[0];
}

__global__ void before(const float2 *__restrict__ Received,
                       float *__restrict__ Alphas, float *__restrict__ Belief) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Alpha[States] = {}, Beta[States] = {};
  for (int B = 0; B < Bits; ++B) {
#pragma unroll
    for (int S = 0; S < States; ++S)
      Alphas[(B * States + S) * Windows + I] = Alpha[S];
    goForward(Alpha, likelihood(Received, B));
  }
  for (int B = Bits - 1; B >= 0; --B) {
#pragma unroll
    for (int S = 0; S < States; ++S)
      Alpha[S] = Alphas[(B * States + S) * Windows + I];
    Belief[B * Windows + I] = goBack(Alpha, Beta, likelihood(Received, B));
  }
}

__global__ void after(const float2 *__restrict__ Received,
                      float *__restrict__ Alphas, float *__restrict__ Belief) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Alpha[States] = {}, Beta[States] = {};
  for (int B = 0; B < Bits; ++B) {
    if (B % Segment == 0)
#pragma unroll
      for (int S = 0; S < States; ++S)
        Alphas[(B / Segment * States + S) * Windows + I] = Alpha[S];
    goForward(Alpha, likelihood(Received, B));
  }
  for (int First = Bits - Segment; First >= 0; First -= Segment) {
    float All[Segment][States];
    float2 L[Segment];
#pragma unroll
    for (int S = 0; S < States; ++S)
      Alpha[S] = Alphas[(First / Segment * States + S) * Windows + I];
#pragma unroll
    for (int B = 0; B < Segment; ++B) {
      L[B] = likelihood(Received, First + B);
#pragma unroll
      for (int S = 0; S < States; ++S)
        All[B][S] = Alpha[S];
      goForward(Alpha, L[B]);
    }
#pragma unroll
    for (int B = Segment - 1; B >= 0; --B)
      Belief[(First + B) * Windows + I] = goBack(All[B], Beta, L[B]);
  }
}

int main() {
  const float2 *Received =
      (const float2 *)input<float>(2 * size_t(Windows) * Bits);
  float *Alphas = output<float>(size_t(Windows) * Bits * States);
  float *Expected = output<float>(Windows * Bits),
        *Out = output<float>(Windows * Bits);
  Pair P("turbo-alphas-recomputed");
  P.same(Expected, Out, Windows * Bits);
  while (P.next())
    if (P.beforesTurn())
      before<<<Windows / 128, 128>>>(Received, Alphas, Expected);
    else
      after<<<Windows / 128, 128>>>(Received, Alphas, Out);
}

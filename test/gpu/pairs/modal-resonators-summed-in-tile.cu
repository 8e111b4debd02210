// Rule: ?
// The sound of 4096 struck bodies: a warp a body, whose lanes are resonators
// that ring with the same excitation. Each sample sums 32 resonators, by
// shuffles, or 32 samples of all are left in a tile in shared memory, of which
// each lane sums one.
#include "Pair.cuh"

constexpr int Bodies = 4096, Samples = 512, Warps = 4;

struct Resonator {
  float Turn, Decay, Gain, Last = 0, Before = 0;
};

__device__ Resonator resonator(const float *Mode) {
  Resonator R;
  const int I = (blockIdx.x * Warps + threadIdx.x / 32) * 32 + threadIdx.x % 32;
  const float Radius = 0.98f + 0.018f * Mode[3 * I];
  const float Angle = 0.1f + 2.4f * Mode[3 * I + 1];
  R.Turn = 2 * Radius * __cosf(Angle);
  R.Decay = -Radius * Radius;
  R.Gain = (Mode[3 * I + 2] - 0.3f) * __sinf(Angle);
  return R;
}

__device__ float rung(Resonator &R, float Struck) {
  const float Now = R.Turn * R.Last + R.Decay * R.Before + R.Gain * Struck;
  R.Before = R.Last;
  R.Last = Now;
  return Now;
}

__global__ void before(const float *__restrict__ Mode,
                       const float *__restrict__ Excitation,
                       float *__restrict__ Sound) {
  const int Lane = threadIdx.x % 32;
  const int Body = blockIdx.x * Warps + threadIdx.x / 32;
  Resonator R = resonator(Mode);
  for (int First = 0; First < Samples; First += 32) {
    const float Struck = Excitation[Body * Samples + First + Lane];
    float Mine = 0;
#pragma unroll
    for (int T = 0; T < 32; ++T) {
      float Sum = rung(R, __shfl_sync(~0u, Struck, T));
#pragma unroll
      for (int Away = 16; Away > 0; Away /= 2)
        Sum += __shfl_xor_sync(~0u, Sum, Away);
      if (Lane == T)
        Mine = Sum;
    }
    Sound[Body * Samples + First + Lane] = Mine;
  }
}

__global__ void after(const float *__restrict__ Mode,
                      const float *__restrict__ Excitation,
                      float *__restrict__ Sound) {
  __shared__ float Tiles[Warps][32][33];
  const int Lane = threadIdx.x % 32;
  const int Body = blockIdx.x * Warps + threadIdx.x / 32;
  float(*Tile)[33] = Tiles[threadIdx.x / 32];
  Resonator R = resonator(Mode);
  for (int First = 0; First < Samples; First += 32) {
    const float Struck = Excitation[Body * Samples + First + Lane];
#pragma unroll
    for (int T = 0; T < 32; ++T)
      Tile[T][Lane] = rung(R, __shfl_sync(~0u, Struck, T));
    __syncwarp();
    float Sum = 0;
#pragma unroll
    for (int M = 0; M < 32; ++M)
      Sum += Tile[Lane][M];
    Sound[Body * Samples + First + Lane] = Sum;
    __syncwarp();
  }
}

int main() {
  const float *Mode = input<float>(Bodies * 32 * 3);
  const float *Excitation = input<float>(Bodies * Samples);
  float *Expected = output<float>(Bodies * Samples),
        *Out = output<float>(Bodies * Samples);
  Pair P("modal-resonators-summed-in-tile");
  P.same(Expected, Out, Bodies * Samples);
  while (P.next())
    if (P.beforesTurn())
      before<<<Bodies / Warps, Warps * 32>>>(Mode, Excitation, Expected);
    else
      after<<<Bodies / Warps, Warps * 32>>>(Mode, Excitation, Out);
}

// Rule: cuda-memory-redundant-round-trip
// Semblance of seismic gathers for sixteen stacking velocities: a pass over the
// traces for their mean and another for what is left, or both sums in one pass.
#include "Pair.cuh"

constexpr int Samples = 2048, Traces = 48, Velocities = 16, Gathers = 24;
constexpr int Count = Gathers * Velocities * Samples;

/// The amplitude of a trace along the hyperbola that starts at \p Start.
__device__ float alongMoveout(const short *Gather, int Trace, int Start,
                              float Slowness) {
  const float Shift = (Trace + 1) * Slowness;
  const float At = sqrtf(float(Start) * Start + Shift * Shift);
  const int Below = min(int(At), Samples - 2);
  const float Part = fminf(At - Below, 1);
  const short *Values = Gather + Trace * Samples + Below;
  return 0.001f * (Values[0] + Part * (Values[1] - Values[0]));
}

__global__ void before(const short *__restrict__ Data,
                       float *__restrict__ Semblance) {
  const int Start = blockIdx.x * blockDim.x + threadIdx.x;
  const short *Gather = Data + blockIdx.z * Traces * Samples;
  const float Slowness = 4 + 0.5f * blockIdx.y;
  float Sum = 0;
  for (int T = 0; T < Traces; ++T)
    Sum += alongMoveout(Gather, T, Start, Slowness);
  const float Mean = Sum / Traces;
  float Rest = 0;
  for (int T = 0; T < Traces; ++T) {
    const float Difference = alongMoveout(Gather, T, Start, Slowness) - Mean;
    Rest += Difference * Difference;
  }
  const float Signal = Traces * Mean * Mean;
  Semblance[(blockIdx.z * Velocities + blockIdx.y) * Samples + Start] =
      Signal / (Signal + Rest + 1e-6f);
}

__global__ void after(const short *__restrict__ Data,
                      float *__restrict__ Semblance) {
  const int Start = blockIdx.x * blockDim.x + threadIdx.x;
  const short *Gather = Data + blockIdx.z * Traces * Samples;
  const float Slowness = 4 + 0.5f * blockIdx.y;
  float Sum = 0, Energy = 0;
  for (int T = 0; T < Traces; ++T) {
    const float Value = alongMoveout(Gather, T, Start, Slowness);
    Sum += Value;
    Energy += Value * Value;
  }
  const float Mean = Sum / Traces, Signal = Traces * Mean * Mean;
  const float Rest = fmaxf(Energy - Signal, 0);
  Semblance[(blockIdx.z * Velocities + blockIdx.y) * Samples + Start] =
      Signal / (Signal + Rest + 1e-6f);
}

int main() {
  const short *Data = input<short>(Gathers * Traces * Samples, 4000);
  float *Expected = output<float>(Count), *Out = output<float>(Count);
  Pair P("semblance-gathered-once");
  P.same(Expected, Out, Count);
  const dim3 Grid(Samples / 128, Velocities, Gathers);
  while (P.next())
    if (P.beforesTurn())
      before<<<Grid, 128>>>(Data, Expected);
    else
      after<<<Grid, 128>>>(Data, Out);
}

// Rule: cuda-memory-uncoalesced-access
// The present sample of each of two million voices of a synthesizer: three of
// the twelve members of a voice are read, from records or from planes.
#include "Pair.cuh"

struct Voice {
  float Phase, Step, Gain, Pan;
  float Attack, Decay, Sustain, Release;
  float Cutoff, Resonance, Bend, Age;
};

constexpr int N = 1 << 21, Members = sizeof(Voice) / sizeof(float);

__device__ float sampled(float Phase, float Step, float Gain, float Time) {
  return Gain * __sinf(6.2831853f * (Phase + Step * Time));
}

__global__ void before(const Voice *Voices, float Time, float *Samples) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const Voice &V = Voices[I];
  Samples[I] = sampled(V.Phase, V.Step, V.Gain, Time);
}

__global__ void after(const float *Phase, const float *Step, const float *Gain,
                      float Time, float *Samples) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Samples[I] = sampled(Phase[I], Step[I], Gain[I], Time);
}

int main() {
  const float *Records = input<float>(size_t(N) * Members);
  // Phase, step and gain are the first three members.
  const float *Planes =
      arranged(Records, size_t(N) * Members, size_t(N) * 3,
               [](size_t I) { return I % N * Members + I / N; });
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("synth-voices-planes");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>((const Voice *)Records, 0.25f, Expected);
    else
      after<<<N / 256, 256>>>(Planes, Planes + N, Planes + 2 * N, 0.25f, Out);
}

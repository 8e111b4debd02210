// Rule: cuda-memory-atomic-contention
// A pulsar's filterbank data folded to profiles of 128 phases, a thread for
// each channel and stretch of time: an atomic for each sample, or one for each
// run of samples of the same phase, summed in a register.
#include "Pair.cuh"

constexpr int Channels = 1024, Times = 20000, Stretch = 96, Phases = 128;
// Turns of the pulsar in a sample, in units of 2 to the -32.
constexpr unsigned Turn = 4294967296.0 / 8192.4;

__device__ int phaseOf(int Time) { return unsigned(Time) * Turn >> 25; }

__global__ void before(const unsigned char *__restrict__ Power,
                       unsigned *__restrict__ Profile) {
  const int Channel = blockIdx.x * blockDim.x + threadIdx.x;
  const int First = blockIdx.y * Stretch, End = min(First + Stretch, Times);
#pragma unroll 4
  for (int T = First; T < End; ++T)
    atomicAdd(&Profile[phaseOf(T) * Channels + Channel],
              unsigned(Power[T * Channels + Channel]));
}

__global__ void after(const unsigned char *__restrict__ Power,
                      unsigned *__restrict__ Profile) {
  const int Channel = blockIdx.x * blockDim.x + threadIdx.x;
  const int First = blockIdx.y * Stretch, End = min(First + Stretch, Times);
  int Phase = phaseOf(First);
  unsigned Sum = 0;
#pragma unroll 4
  for (int T = First; T < End; ++T) {
    const int Now = phaseOf(T);
    if (Now != Phase) {
      atomicAdd(&Profile[Phase * Channels + Channel], Sum);
      Phase = Now;
      Sum = 0;
    }
    Sum += Power[T * Channels + Channel];
  }
  atomicAdd(&Profile[Phase * Channels + Channel], Sum);
}

int main() {
  const unsigned char *Power = input<unsigned char>(Channels * Times, 256);
  unsigned *Expected = output<unsigned>(Phases * Channels),
           *Out = output<unsigned>(Phases * Channels);
  Pair P("pulse-profile-run-in-register");
  P.same(Expected, Out, Phases * Channels);
  const dim3 Grid(Channels / 256, (Times + Stretch - 1) / Stretch);
  while (P.next())
    if (P.beforesTurn())
      before<<<Grid, 256>>>(Power, Expected);
    else
      after<<<Grid, 256>>>(Power, Out);
}

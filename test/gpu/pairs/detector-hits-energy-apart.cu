// Rule: cuda-memory-array-of-structs
// Calibrated energies of hits in a particle detector: energy and flags lie in
// records of 40 bytes with time, place and direction, which this kernel does
// not need, or in arrays of their own.
#include "Pair.cuh"

constexpr int Hits = 2 << 20;

struct Hit {
  double Time;
  float X, Y, Z;
  float Energy;
  float Theta, Phi;
  uint32_t Channel;
  uint32_t Flags;
};

__global__ void before(const Hit *__restrict__ Hits, float *__restrict__ Energy,
                       int Count, float Gain, float Pedestal) {
  for (int I = blockIdx.x * blockDim.x + threadIdx.x; I < Count;
       I += gridDim.x * blockDim.x) {
    const float Raw = Hits[I].Energy;
    const bool Good = (Hits[I].Flags & 3) != 0;
    Energy[I] = Good ? fmaxf(Raw - Pedestal, 0.0f) * Gain : -1.0f;
  }
}

__global__ void after(const float *__restrict__ RawEnergy,
                      const uint32_t *__restrict__ Flags,
                      float *__restrict__ Energy, int Count, float Gain,
                      float Pedestal) {
  for (int I = blockIdx.x * blockDim.x + threadIdx.x; I < Count;
       I += gridDim.x * blockDim.x) {
    const float Raw = RawEnergy[I];
    const bool Good = (Flags[I] & 3) != 0;
    Energy[I] = Good ? fmaxf(Raw - Pedestal, 0.0f) * Gain : -1.0f;
  }
}

int main() {
  const float *Raw = input<float>(Hits);
  const uint32_t *Flags = input<uint32_t>(Hits, 16);
  const std::vector<float> RawOnHost = onHost(Raw, Hits);
  const std::vector<uint32_t> FlagsOnHost = onHost(Flags, Hits);
  std::vector<Hit> Records(Hits);
  for (int I = 0; I < Hits; ++I)
    Records[I] = {I * 1e-9, 1, 2, 3, RawOnHost[I], 0.5f, 0.25f, uint32_t(I),
                  FlagsOnHost[I]};
  const Hit *OnDevice = onDevice(Records);
  float *Expected = output<float>(Hits), *Out = output<float>(Hits);
  Pair P("detector-hits-energy-apart");
  P.same(Expected, Out, Hits);
  while (P.next())
    if (P.beforesTurn())
      before<<<2112, 256>>>(OnDevice, Expected, Hits, 13.6f, 0.125f);
    else
      after<<<2112, 256>>>(Raw, Flags, Out, Hits, 13.6f, 0.125f);
}

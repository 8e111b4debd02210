// Rule: cuda-memory-atomic-contention
// Photons leave energy in 48 detectors, as integers of 64 bits so that their
// order does not matter: sums in global memory, or in shared memory first.
#include "Pair.cuh"

constexpr int N = 1 << 20, Detectors = 48;

__device__ unsigned long long energyOf(uint32_t Photon, float Depth) {
  return 1 + (unsigned long long)(1e6f * __expf(-Depth * (Photon % 7 + 1)));
}

__global__ void before(const uint32_t *Photons, const float *Depths,
                       unsigned long long *Tallies) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(Tallies + Photons[I] % Detectors, energyOf(Photons[I], Depths[I]));
}

__global__ void after(const uint32_t *Photons, const float *Depths,
                      unsigned long long *Tallies) {
  __shared__ unsigned long long Mine[Detectors];
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x < Detectors)
    Mine[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(Mine + Photons[I] % Detectors, energyOf(Photons[I], Depths[I]));
  __syncthreads();
  if (threadIdx.x < Detectors)
    atomicAdd(Tallies + threadIdx.x, Mine[threadIdx.x]);
}

int main() {
  const uint32_t *Photons = input<uint32_t>(N, ~0u);
  const float *Depths = input<float>(N);
  auto *Expected = output<unsigned long long>(Detectors),
       *Out = output<unsigned long long>(Detectors);
  Pair P("photon-tallies-shared");
  P.same(Expected, Out, Detectors);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 512, 512>>>(Photons, Depths, Expected);
    else
      after<<<N / 512, 512>>>(Photons, Depths, Out);
}

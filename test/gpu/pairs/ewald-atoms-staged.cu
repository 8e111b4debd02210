// Rule: cuda-memory-missing-reuse
// Structure factors of Ewald's sum, a thread for each wave vector: all threads
// read the same atom at the same time, from global memory or from a tile of
// atoms that the block has copied to shared memory.
#include "Pair.cuh"

constexpr int Side = 64, Half = Side / 2, Waves = Half * Side * Side;
constexpr int Atoms = 1024, Threads = 256;

__device__ void add(float4 Atom, float H, float K, float L, float &Real,
                    float &Imaginary) {
  const float Phase = 6.2831853f * (H * Atom.x + K * Atom.y + L * Atom.z);
  float Sine, Cosine;
  __sincosf(Phase, &Sine, &Cosine);
  Real += Atom.w * Cosine;
  Imaginary += Atom.w * Sine;
}

__global__ void before(const float4 *__restrict__ Positions,
                       float *__restrict__ Factor) {
  const int I = blockIdx.x * Threads + threadIdx.x;
  const float H = I / (Side * Side), K = I / Side % Side - Half,
              L = I % Side - Half;
  float Real = 0, Imaginary = 0;
  for (int J = 0; J < Atoms; ++J)
    add(Positions[J], H, K, L, Real, Imaginary);
  Factor[I] = Real;
  Factor[Waves + I] = Imaginary;
}

__global__ void after(const float4 *__restrict__ Positions,
                      float *__restrict__ Factor) {
  __shared__ float4 Tile[Threads];
  const int I = blockIdx.x * Threads + threadIdx.x;
  const float H = I / (Side * Side), K = I / Side % Side - Half,
              L = I % Side - Half;
  float Real = 0, Imaginary = 0;
  for (int First = 0; First < Atoms; First += Threads) {
    Tile[threadIdx.x] = Positions[First + threadIdx.x];
    __syncthreads();
    for (int J = 0; J < Threads; ++J)
      add(Tile[J], H, K, L, Real, Imaginary);
    __syncthreads();
  }
  Factor[I] = Real;
  Factor[Waves + I] = Imaginary;
}

int main() {
  const float4 *Positions =
      reinterpret_cast<const float4 *>(input<float>(4 * Atoms));
  float *Expected = output<float>(2 * Waves), *Out = output<float>(2 * Waves);
  Pair P("ewald-atoms-staged");
  P.same(Expected, Out, 2 * Waves);
  while (P.next())
    if (P.beforesTurn())
      before<<<Waves / Threads, Threads>>>(Positions, Expected);
    else
      after<<<Waves / Threads, Threads>>>(Positions, Out);
}

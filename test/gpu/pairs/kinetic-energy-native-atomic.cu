// Rule: cuda-memory-atomic-contention
// The kinetic energy of a million particles in each of 64 layers: added up, in
// doubles, by a loop of compare-and-swap, or by atomic additions.
#include "Pair.cuh"

constexpr int Particles = 1 << 20, Layers = 64, Block = 128;

__device__ void addBySwaps(double *Sum, double Value) {
  auto *Bits = reinterpret_cast<unsigned long long *>(Sum);
  unsigned long long Old = *Bits, Assumed;
  do {
    Assumed = Old;
    Old = atomicCAS(
        Bits, Assumed,
        __double_as_longlong(Value + __longlong_as_double(Assumed)));
  } while (Assumed != Old);
}

__global__ void before(const float4 *__restrict__ Velocity,
                       const int *__restrict__ LayerOf, double *Energy) {
  const int I = blockIdx.x * Block + threadIdx.x;
  const float4 V = Velocity[I];
  addBySwaps(Energy + LayerOf[I],
             0.5f * V.w * (V.x * V.x + V.y * V.y + V.z * V.z));
}

__global__ void after(const float4 *__restrict__ Velocity,
                      const int *__restrict__ LayerOf, double *Energy) {
  const int I = blockIdx.x * Block + threadIdx.x;
  const float4 V = Velocity[I];
  atomicAdd(Energy + LayerOf[I],
            double(0.5f * V.w * (V.x * V.x + V.y * V.y + V.z * V.z)));
}

int main() {
  const float4 *Velocity = (const float4 *)input<float>(4 * Particles);
  const int *LayerOf = input<int>(Particles, Layers);
  double *Expected = output<double>(Layers), *Out = output<double>(Layers);
  Pair P("kinetic-energy-native-atomic");
  P.same(Expected, Out, Layers);
  while (P.next())
    if (P.beforesTurn())
      before<<<Particles / Block, Block>>>(Velocity, LayerOf, Expected);
    else
      after<<<Particles / Block, Block>>>(Velocity, LayerOf, Out);
}

// Rule: cuda-memory-redundant-round-trip
// A time step of a chain of beads on springs. The kernel was made of two: it
// still writes the force of each bead to global memory and reads it back for
// the kick. Or the force stays in registers. "Fuse kernels and keep
// intermediate results on chip", as guides say.
#include "Pair.cuh"

constexpr int Beads = 1 << 21, Block = 256;

__global__ void before(const float *Position, const float *Velocity,
                       float *Force, float *NewPosition, float *NewVelocity,
                       int Count, float Stiffness, float Step) {
  const int I = blockIdx.x * Block + threadIdx.x;
  if (I >= Count)
    return;
  for (int D = 0; D < 3; ++D) {
    const float *X = Position + D * Count;
    float F = -0.1f * X[I];
    if (I > 0)
      F += Stiffness * (X[I - 1] - X[I]);
    if (I < Count - 1)
      F += Stiffness * (X[I + 1] - X[I]);
    Force[D * Count + I] = F;
  }
  for (int D = 0; D < 3; ++D) {
    const float V = Velocity[D * Count + I] + Step * Force[D * Count + I];
    NewVelocity[D * Count + I] = V;
    NewPosition[D * Count + I] = Position[D * Count + I] + Step * V;
  }
}

__global__ void after(const float *Position, const float *Velocity,
                      float *NewPosition, float *NewVelocity, int Count,
                      float Stiffness, float Step) {
  const int I = blockIdx.x * Block + threadIdx.x;
  if (I >= Count)
    return;
  float Force[3];
  for (int D = 0; D < 3; ++D) {
    const float *X = Position + D * Count;
    float F = -0.1f * X[I];
    if (I > 0)
      F += Stiffness * (X[I - 1] - X[I]);
    if (I < Count - 1)
      F += Stiffness * (X[I + 1] - X[I]);
    Force[D] = F;
  }
  for (int D = 0; D < 3; ++D) {
    const float V = Velocity[D * Count + I] + Step * Force[D];
    NewVelocity[D * Count + I] = V;
    NewPosition[D * Count + I] = Position[D * Count + I] + Step * V;
  }
}

int main() {
  constexpr size_t Words = size_t(Beads) * 3;
  const float *In = input<float>(2 * Words);
  float *Force = output<float>(Words), *Expected = output<float>(2 * Words),
        *Out = output<float>(2 * Words);
  Pair P("bead-chain-forces-kept");
  P.same(Expected, Out, 2 * Words);
  while (P.next())
    if (P.beforesTurn())
      before<<<Beads / Block, Block>>>(In, In + Words, Force, Expected,
                                       Expected + Words, Beads, 30.0f, 0.01f);
    else
      after<<<Beads / Block, Block>>>(In, In + Words, Out, Out + Words, Beads,
                                      30.0f, 0.01f);
}

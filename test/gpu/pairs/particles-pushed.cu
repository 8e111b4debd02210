// Rule: cuda-memory-array-of-structs
// Particles of ten words move on: six members are read and three written, in
// an array of structures or in arrays of their own.
#include "Pair.cuh"

constexpr int N = 1 << 20;

struct Particle {
  float X, Y, Z, VX, VY, VZ, Mass, Charge;
  int Kind, Cell;
};

__global__ void before(Particle *All) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  All[I].X += 0.01f * All[I].VX;
  All[I].Y += 0.01f * All[I].VY;
  All[I].Z += 0.01f * All[I].VZ;
}

__global__ void after(float *X, float *Y, float *Z, const float *VX,
                      const float *VY, const float *VZ) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  X[I] += 0.01f * VX[I];
  Y[I] += 0.01f * VY[I];
  Z[I] += 0.01f * VZ[I];
}

__global__ void positions(const Particle *All, float *X, float *Y, float *Z) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  X[I] = All[I].X;
  Y[I] = All[I].Y;
  Z[I] = All[I].Z;
}

int main() {
  float *All = input<float>(10 * N);
  float *Split =
      arranged(All, 10 * N, 6 * N, [](size_t I) { return I % N * 10 + I / N; });
  // What `before` leaves, in the order of `after`.
  float *Moved = arranged(All, 10 * N, 10 * N, [](size_t I) { return I; });
  float *Expected = output<float>(3 * N);
  before<<<N / 256, 256>>>((Particle *)Moved);
  positions<<<N / 256, 256>>>((const Particle *)Moved, Expected, Expected + N,
                              Expected + 2 * N);
  Pair P("particles-pushed");
  P.same(Expected, Split, 3 * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>((Particle *)All);
    else
      after<<<N / 256, 256>>>(Split, Split + N, Split + 2 * N, Split + 3 * N,
                              Split + 4 * N, Split + 5 * N);
}

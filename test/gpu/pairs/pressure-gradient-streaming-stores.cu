// Rule: cuda-memory-scalar-stream
// Tendencies of the wind in an atmosphere on a C grid: gradient of pressure and
// geopotential, rotation. The results are stored as usual or by __stcs, as data
// that this kernel does not read again.
#include "Pair.cuh"

constexpr int NX = 512, NY = 320, NZ = 40, Pitch = NX + 32;
constexpr size_t Layer = size_t(Pitch) * (NY + 2);

struct Air {
  const float *U, *V, *Pressure, *Phi, *Density;
};

struct Wind {
  float X, Y;
};

__device__ inline Wind tendency(const Air &A, size_t I, float F, float InvDx) {
  const float *U = A.U + I, *V = A.V + I;
  const float *P = A.Pressure + I, *G = A.Phi + I, *R = A.Density + I;
  const float AlphaX = 2.0f / (R[0] + R[-1] + 0.5f);
  const float AlphaY = 2.0f / (R[0] + R[-Pitch] + 0.5f);
  const float VAtU = 0.25f * (V[0] + V[-1] + V[Pitch] + V[Pitch - 1]);
  const float UAtV = 0.25f * (U[0] + U[1] + U[-Pitch] + U[1 - Pitch]);
  Wind T;
  T.X = F * VAtU - InvDx * (AlphaX * (P[0] - P[-1]) + G[0] - G[-1]);
  T.Y = -F * UAtV - InvDx * (AlphaY * (P[0] - P[-Pitch]) + G[0] - G[-Pitch]);
  return T;
}

__global__ void before(Air A, const float *Coriolis, float *DU, float *DV,
                       float InvDx) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x;
  const int Y = blockIdx.y * blockDim.y + threadIdx.y;
  if (X >= NX || Y >= NY)
    return;
  const size_t I = blockIdx.z * Layer + (Y + 1) * Pitch + X + 16;
  const Wind T = tendency(A, I, Coriolis[Y], InvDx);
  DU[I] = T.X;
  DV[I] = T.Y;
}

__global__ void after(Air A, const float *Coriolis, float *DU, float *DV,
                      float InvDx) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x;
  const int Y = blockIdx.y * blockDim.y + threadIdx.y;
  if (X >= NX || Y >= NY)
    return;
  const size_t I = blockIdx.z * Layer + (Y + 1) * Pitch + X + 16;
  const Wind T = tendency(A, I, Coriolis[Y], InvDx);
  __stcs(DU + I, T.X);
  __stcs(DV + I, T.Y);
}

int main() {
  constexpr size_t Count = Layer * NZ;
  const Air A = {input<float>(Count), input<float>(Count), input<float>(Count),
                 input<float>(Count), input<float>(Count)};
  const float *Coriolis = input<float>(NY);
  float *OldU = output<float>(Count), *OldV = output<float>(Count);
  float *NewU = output<float>(Count), *NewV = output<float>(Count);
  const dim3 Block(64, 4), Grid(NX / 64, NY / 4, NZ);
  Pair P("pressure-gradient-streaming-stores");
  P.same(OldU, NewU, Count);
  P.same(OldV, NewV, Count);
  while (P.next())
    if (P.beforesTurn())
      before<<<Grid, Block>>>(A, Coriolis, OldU, OldV, 0.5f);
    else
      after<<<Grid, Block>>>(A, Coriolis, NewU, NewV, 0.5f);
}

// Rule: cuda-memory-uncoalesced-access
// A level set in a volume moves by its curvature, 19 points of it. Blocks have
// 4x8x8 threads; as advised, they become 32 threads wide, so that a warp stays
// in a row, and have as many threads as before.
#include "../Pair.cuh"

constexpr int Nx = 256, Ny = 192, Nz = 128;
constexpr int Pitch = Nx + 2, Plane = Pitch * (Ny + 2);

__device__ void curve(const float *__restrict__ Level, float *__restrict__ Out,
                      float Step) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x,
            Y = blockIdx.y * blockDim.y + threadIdx.y,
            Z = blockIdx.z * blockDim.z + threadIdx.z;
  const float *L = Level + (Z + 1) * Plane + (Y + 1) * Pitch + X + 1;
  const float Dx = 0.5f * (L[1] - L[-1]), Dy = 0.5f * (L[Pitch] - L[-Pitch]),
              Dz = 0.5f * (L[Plane] - L[-Plane]);
  const float Dxx = L[1] - 2 * L[0] + L[-1],
              Dyy = L[Pitch] - 2 * L[0] + L[-Pitch],
              Dzz = L[Plane] - 2 * L[0] + L[-Plane];
  const float Dxy = 0.25f * (L[Pitch + 1] - L[Pitch - 1] - L[1 - Pitch] +
                             L[-Pitch - 1]),
              Dxz = 0.25f * (L[Plane + 1] - L[Plane - 1] - L[1 - Plane] +
                             L[-Plane - 1]),
              Dyz = 0.25f * (L[Plane + Pitch] - L[Plane - Pitch] -
                             L[Pitch - Plane] + L[-Plane - Pitch]);
  const float Square = Dx * Dx + Dy * Dy + Dz * Dz + 0.01f;
  const float Bend = Dx * Dx * (Dyy + Dzz) + Dy * Dy * (Dxx + Dzz) +
                     Dz * Dz * (Dxx + Dyy) -
                     2 * (Dx * Dy * Dxy + Dx * Dz * Dxz + Dy * Dz * Dyz);
  Out[(Z * Ny + Y) * Nx + X] = L[0] + Step * Bend / Square;
}

__global__ void before(const float *__restrict__ Level, float *__restrict__ Out,
                       float Step) {
  curve(Level, Out, Step);
}

__global__ void after(const float *__restrict__ Level, float *__restrict__ Out,
                      float Step) {
  curve(Level, Out, Step);
}

int main() {
  const float *Level = input<float>(Plane * (Nz + 2));
  float *Expected = output<float>(Nx * Ny * Nz),
        *Out = output<float>(Nx * Ny * Nz);
  Pair P("level-set-curvature-block-32x4x2-as-advised");
  P.same(Expected, Out, Nx * Ny * Nz);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Nx / 4, Ny / 8, Nz / 8), dim3(4, 8, 8)>>>(Level, Expected,
                                                              0.1f);
    else
      after<<<dim3(Nx / 32, Ny / 4, Nz / 2), dim3(32, 4, 2)>>>(Level, Out,
                                                               0.1f);
}

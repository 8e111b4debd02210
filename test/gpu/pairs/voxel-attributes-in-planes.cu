// Rule: cuda-memory-array-of-structs
// Four attributes of a byte each make the light that a voxel gives: they are a
// record of one word, or each has a plane.
#include "Pair.cuh"

constexpr int N = 1 << 24;

struct alignas(4) Voxel {
  uint8_t Density, Light, Glow, Shade;
};

__device__ uint8_t given(int Density, int Light, int Glow, int Shade) {
  return uint8_t((Density * Light + (255 - Shade) * Glow) >> 9);
}

__global__ void before(const Voxel *__restrict__ Voxels,
                       uint8_t *__restrict__ Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const Voxel V = Voxels[I];
  Out[I] = given(V.Density, V.Light, V.Glow, V.Shade);
}

__global__ void after(const uint8_t *__restrict__ Planes,
                      uint8_t *__restrict__ Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] =
      given(Planes[I], Planes[N + I], Planes[2 * N + I], Planes[3 * N + I]);
}

int main() {
  const uint8_t *Voxels = input<uint8_t>(4 * N, 256);
  const uint8_t *Planes = arranged(Voxels, 4 * N, 4 * N,
                                   [](size_t I) { return I % N * 4 + I / N; });
  uint8_t *Expected = output<uint8_t>(N), *Out = output<uint8_t>(N);
  Pair P("voxel-attributes-in-planes");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>((const Voxel *)Voxels, Expected);
    else
      after<<<N / 256, 256>>>(Planes, Out);
}

// Rule: cuda-memory-narrow-access
// Four attributes of a byte each make the light that a voxel gives; they are a
// record of one word. As advised, each thread handles four neighbouring voxels:
// it loads their records as a uint4 and stores a uchar4.
#include "../Pair.cuh"

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

/// \p Word is a Voxel.
__device__ uint8_t givenBy(unsigned Word) {
  return given(Word & 255, Word >> 8 & 255, Word >> 16 & 255, Word >> 24);
}

__global__ void after(const Voxel *__restrict__ Voxels,
                      uint8_t *__restrict__ Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const uint4 Four = reinterpret_cast<const uint4 *>(Voxels)[I];
  reinterpret_cast<uchar4 *>(Out)[I] = make_uchar4(
      givenBy(Four.x), givenBy(Four.y), givenBy(Four.z), givenBy(Four.w));
}

int main() {
  const uint8_t *Voxels = input<uint8_t>(4 * N, 256);
  uint8_t *Expected = output<uint8_t>(N), *Out = output<uint8_t>(N);
  Pair P("voxel-attributes-in-planes-as-advised");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>((const Voxel *)Voxels, Expected);
    else
      after<<<N / 4 / 256, 256>>>((const Voxel *)Voxels, Out);
}

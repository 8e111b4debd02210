// Rule: cuda-memory-narrow-access
// The master costmap of a robot from its static, obstacle and inflation layers:
// the highest cost of each cell, where 255 means not known. A cell or sixteen
// cells a thread.
#include "Pair.cuh"

constexpr int Width = 4096, Height = 3072, N = Width * Height;

/// Costs one up, so that what is not known is zero.
__device__ unsigned char merged(unsigned char A, unsigned char B) {
  const unsigned char Left = A + 1, Right = B + 1;
  return (Left > Right ? Left : Right) - 1;
}

__device__ unsigned mergedFour(unsigned A, unsigned B) {
  const unsigned One = 0x01010101;
  return __vsub4(__vmaxu4(__vadd4(A, One), __vadd4(B, One)), One);
}

__device__ uint4 mergedSixteen(uint4 A, uint4 B) {
  return make_uint4(mergedFour(A.x, B.x), mergedFour(A.y, B.y),
                    mergedFour(A.z, B.z), mergedFour(A.w, B.w));
}

__global__ void before(const unsigned char *__restrict__ Fixed,
                       const unsigned char *__restrict__ Obstacles,
                       const unsigned char *__restrict__ Inflated,
                       unsigned char *__restrict__ Master) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    Master[I] = merged(merged(Fixed[I], Obstacles[I]), Inflated[I]);
}

__global__ void after(const uint4 *__restrict__ Fixed,
                      const uint4 *__restrict__ Obstacles,
                      const uint4 *__restrict__ Inflated,
                      uint4 *__restrict__ Master) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N / 16)
    Master[I] =
        mergedSixteen(mergedSixteen(Fixed[I], Obstacles[I]), Inflated[I]);
}

int main() {
  const auto *Layers = input<unsigned char>(3 * N, 256);
  auto *Expected = output<unsigned char>(N), *Out = output<unsigned char>(N);
  Pair P("costmap-layers-merged-by-sixteen");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(Layers, Layers + N, Layers + 2 * N, Expected);
    else
      after<<<N / 16 / 256, 256>>>((const uint4 *)Layers,
                                   (const uint4 *)Layers + N / 16,
                                   (const uint4 *)Layers + N / 8, (uint4 *)Out);
}

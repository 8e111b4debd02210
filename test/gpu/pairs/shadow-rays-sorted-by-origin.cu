// Rule: cuda-memory-gather
// Shadow rays through a grid of smoke densities towards the sun, one per
// surface point. The rays come in the order in which the points were sampled,
// or sorted by the brick of 8x8x8 cells in which they start.
#include "Pair.cuh"

constexpr int Side = 256, Rays = 1 << 18, Steps = 48;
constexpr size_t Cells = size_t(Side) * Side * Side;

struct Ray {
  float X, Y, Z;
  float Reach;
};

__device__ __forceinline__ float density(const float *Grid, float X, float Y,
                                         float Z) {
  const int IX = int(X), IY = int(Y), IZ = int(Z);
  const float FX = X - IX, FY = Y - IY;
  const float *G = Grid + (size_t(IZ) * Side + IY) * Side + IX;
  const float A = G[0] + FX * (G[1] - G[0]);
  const float B = G[Side] + FX * (G[Side + 1] - G[Side]);
  return A + FY * (B - A);
}

__device__ float transmittance(const Ray &R, const float *Grid, float3 Sun) {
  float Depth = 0, X = R.X, Y = R.Y, Z = R.Z;
  for (int S = 0; S < Steps; ++S) {
    if (X >= Side - 1 || Y >= Side - 1 || Z >= Side - 1)
      break;
    Depth += density(Grid, X, Y, Z) * R.Reach;
    X += Sun.x;
    Y += Sun.y;
    Z += Sun.z;
  }
  return __expf(-0.02f * Depth);
}

__global__ void before(const Ray *Queue, const float *Grid, float3 Sun,
                       float *Light) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < Rays)
    Light[I] = transmittance(Queue[I], Grid, Sun);
}

__global__ void after(const Ray *Queue, const float *Grid, float3 Sun,
                      float *Light) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < Rays)
    Light[I] = transmittance(Queue[I], Grid, Sun);
}

int main() {
  std::vector<Ray> Sampled(Rays), Sorted(Rays);
  for (int I = 0; I < Rays; ++I) {
    auto Noise = [&](int D) { return mixed(4 * I + D) * 0x1p-32f; };
    Sampled[I] = {Noise(0) * (Side - 2), Noise(1) * (Side - 2),
                  Noise(2) * (Side - 2), 0.5f + Noise(3)};
  }
  auto Brick = [&](size_t I) {
    const Ray &R = Sampled[I];
    return (int(R.Z) / 8 * 32 + int(R.Y) / 8) * 32 + int(R.X) / 8;
  };
  std::vector<size_t> Order(Rays), Place(Rays);
  for (size_t I = 0; I < Rays; ++I)
    Order[I] = I;
  std::stable_sort(Order.begin(), Order.end(),
                   [&](size_t A, size_t B) { return Brick(A) < Brick(B); });
  for (size_t I = 0; I < Rays; ++I) {
    Sorted[I] = Sampled[Order[I]];
    Place[Order[I]] = I;
  }
  const Ray *Old = onDevice(Sampled), *New = onDevice(Sorted);
  const float *Grid = input<float>(Cells);
  float *Expected = output<float>(Rays), *Out = output<float>(Rays);
  const float3 Sun = {0.55f, 0.35f, 0.76f};
  Pair P("shadow-rays-sorted-by-origin");
  P.same(Expected, Out, Rays, [&](size_t I) { return Place[I]; });
  while (P.next())
    if (P.beforesTurn())
      before<<<Rays / 128, 128>>>(Old, Grid, Sun, Expected);
    else
      after<<<Rays / 128, 128>>>(New, Grid, Sun, Out);
}

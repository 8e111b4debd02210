// Rule: cuda-memory-split-gather
// Electron density at each atom of a metal by the embedded atom method: the
// four coefficients of the spline for a neighbour's distance are gathered from
// four tables or as one record.
#include "Pair.cuh"

constexpr int Atoms = 1 << 17, Neighbours = 48, Bins = 1024;
constexpr float Cut = 1.2f, Scale = Bins / Cut;

__device__ float distance(float4 A, float4 B) {
  const float X = A.x - B.x, Y = A.y - B.y, Z = A.z - B.z;
  return sqrtf(X * X + Y * Y + Z * Z);
}

__global__ void before(const float4 *__restrict__ Position,
                       const int *__restrict__ List,
                       const float *__restrict__ C0,
                       const float *__restrict__ C1,
                       const float *__restrict__ C2,
                       const float *__restrict__ C3,
                       float *__restrict__ Density) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 Here = Position[I];
  float Sum = 0;
  for (int K = 0; K < Neighbours; ++K) {
    const float R = distance(Here, Position[List[K * Atoms + I]]);
    if (R >= Cut)
      continue;
    const int Bin = min(int(R * Scale), Bins - 1);
    const float T = R * Scale - Bin;
    Sum += ((C3[Bin] * T + C2[Bin]) * T + C1[Bin]) * T + C0[Bin];
  }
  Density[I] = Sum;
}

__global__ void after(const float4 *__restrict__ Position,
                      const int *__restrict__ List,
                      const float4 *__restrict__ Spline,
                      float *__restrict__ Density) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 Here = Position[I];
  float Sum = 0;
  for (int K = 0; K < Neighbours; ++K) {
    const float R = distance(Here, Position[List[K * Atoms + I]]);
    if (R >= Cut)
      continue;
    const int Bin = min(int(R * Scale), Bins - 1);
    const float T = R * Scale - Bin;
    const float4 C = Spline[Bin];
    Sum += ((C.w * T + C.z) * T + C.y) * T + C.x;
  }
  Density[I] = Sum;
}

int main() {
  const float4 *Position = (const float4 *)input<float>(4 * Atoms);
  std::vector<int> Near(Neighbours * Atoms);
  for (int K = 0; K < Neighbours; ++K)
    for (int I = 0; I < Atoms; ++I) {
      const int Step = 1 + int(mixed(K * Atoms + I) % 500);
      Near[K * Atoms + I] = (I + (K % 2 ? Step : Atoms - Step)) % Atoms;
    }
  const int *List = onDevice(Near);
  const float *C = input<float>(4 * Bins);
  const float *Spline = arranged(C, 4 * Bins, 4 * Bins, [](size_t I) {
    return I % 4 * Bins + I / 4;
  });
  float *Expected = output<float>(Atoms), *Out = output<float>(Atoms);
  Pair P("embedded-atom-splines-as-records");
  P.same(Expected, Out, Atoms);
  while (P.next())
    if (P.beforesTurn())
      before<<<Atoms / 128, 128>>>(Position, List, C, C + Bins, C + 2 * Bins,
                                   C + 3 * Bins, Expected);
    else
      after<<<Atoms / 128, 128>>>(Position, List, (const float4 *)Spline, Out);
}

// Rule: cuda-memory-idle-lanes
// Overlap integrals of 2048 contracted Gaussians, each of six primitives. The
// matrix is symmetric: the grid is a square, whose upper triangle returns at
// once, or enumerates the blocks of the lower triangle.
#include "Pair.cuh"

constexpr int Functions = 2048, Primitives = 6, Tile = 16;
constexpr int TileRows = Functions / Tile,
              Tiles = TileRows * (TileRows + 1) / 2;
constexpr int Packed = Functions * (Functions + 1) / 2;

struct Basis {
  const float4 *Centre;
  const float *Exponent, *Coefficient; // A plane for each primitive
};

__device__ float overlap(const Basis &Set, int I, int J) {
  const float4 A = __ldg(Set.Centre + I), B = __ldg(Set.Centre + J);
  const float X = A.x - B.x, Y = A.y - B.y, Z = A.z - B.z;
  const float Square = X * X + Y * Y + Z * Z;
  float Bs[Primitives], Cs[Primitives];
#pragma unroll
  for (int Q = 0; Q < Primitives; ++Q) {
    Bs[Q] = __ldg(Set.Exponent + Q * Functions + J);
    Cs[Q] = __ldg(Set.Coefficient + Q * Functions + J);
  }
  float Sum = 0;
#pragma unroll
  for (int P = 0; P < Primitives; ++P) {
    const float Ap = __ldg(Set.Exponent + P * Functions + I),
                Cp = __ldg(Set.Coefficient + P * Functions + I);
#pragma unroll
    for (int Q = 0; Q < Primitives; ++Q) {
      const float Root = rsqrtf(Ap + Bs[Q]), Inverse = Root * Root;
      Sum += Cp * Cs[Q] * Root * Inverse *
             __expf(-Ap * Bs[Q] * Inverse * Square);
    }
  }
  return 5.5683279f * Sum; // pi to the power of 3/2
}

__global__ void before(Basis Set, float *__restrict__ Matrix) {
  const int I = blockIdx.y * Tile + threadIdx.y,
            J = blockIdx.x * Tile + threadIdx.x;
  if (J > I)
    return;
  Matrix[I * (I + 1) / 2 + J] = overlap(Set, I, J);
}

__global__ void after(Basis Set, float *__restrict__ Matrix) {
  const int T = blockIdx.x;
  int Row = int(0.5f * (sqrtf(8.f * T + 1) - 1));
  if (Row * (Row + 1) / 2 > T)
    --Row;
  else if ((Row + 1) * (Row + 2) / 2 <= T)
    ++Row;
  const int I = Row * Tile + threadIdx.y,
            J = (T - Row * (Row + 1) / 2) * Tile + threadIdx.x;
  if (J > I)
    return;
  Matrix[I * (I + 1) / 2 + J] = overlap(Set, I, J);
}

int main() {
  std::vector<float> Exponent(Primitives * Functions);
  for (int I = 0; I < Primitives * Functions; ++I)
    Exponent[I] =
        std::ldexp(0.1f, 2 * (I / Functions)) * (1 + mixed(I) / 4294967296.f);
  const Basis Set = {(const float4 *)input<float>(4 * Functions),
                     onDevice(Exponent), input<float>(Primitives * Functions)};
  float *Expected = output<float>(Packed), *Out = output<float>(Packed);
  Pair P("overlap-integrals-triangle-enumerated");
  P.same(Expected, Out, Packed);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(TileRows, TileRows), dim3(Tile, Tile)>>>(Set, Expected);
    else
      after<<<Tiles, dim3(Tile, Tile)>>>(Set, Out);
}

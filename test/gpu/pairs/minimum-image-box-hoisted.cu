// Rule: cuda-memory-missing-restrict
// Lennard-Jones energies of the atoms of a periodic cell from neighbour lists:
// the lengths of the cell are read for each neighbour, or once before the loop.
#include "Pair.cuh"

constexpr int Atoms = 100000, Neighbours = 40;

__device__ float energy(float X, float Y, float Z) {
  const float Square = X * X + Y * Y + Z * Z + 0.5f;
  const float Sixth = 1 / (Square * Square * Square);
  return 4 * Sixth * (Sixth - 1);
}

__global__ void before(const float4 *__restrict__ Position,
                       const int *__restrict__ List,
                       const float *__restrict__ Cell,
                       float *__restrict__ Energy) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Atoms)
    return;
  const float4 Mine = Position[I];
  float Sum = 0;
  for (int K = 0; K < Neighbours; ++K) {
    const float4 Other = Position[List[K * Atoms + I]];
    float X = Mine.x - Other.x, Y = Mine.y - Other.y, Z = Mine.z - Other.z;
    X -= Cell[0] * rintf(X / Cell[0]);
    Y -= Cell[1] * rintf(Y / Cell[1]);
    Z -= Cell[2] * rintf(Z / Cell[2]);
    Sum += energy(X, Y, Z);
  }
  Energy[I] = 0.5f * Sum;
}

__global__ void after(const float4 *__restrict__ Position,
                      const int *__restrict__ List,
                      const float *__restrict__ Cell,
                      float *__restrict__ Energy) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Atoms)
    return;
  const float LengthX = Cell[0], LengthY = Cell[1], LengthZ = Cell[2];
  const float4 Mine = Position[I];
  float Sum = 0;
  for (int K = 0; K < Neighbours; ++K) {
    const float4 Other = Position[List[K * Atoms + I]];
    float X = Mine.x - Other.x, Y = Mine.y - Other.y, Z = Mine.z - Other.z;
    X -= LengthX * rintf(X / LengthX);
    Y -= LengthY * rintf(Y / LengthY);
    Z -= LengthZ * rintf(Z / LengthZ);
    Sum += energy(X, Y, Z);
  }
  Energy[I] = 0.5f * Sum;
}

int main() {
  // Atoms were sorted by cells: neighbours are near in memory.
  std::vector<int> Indices(Neighbours * Atoms);
  for (int K = 0; K < Neighbours; ++K)
    for (int I = 0; I < Atoms; ++I)
      Indices[K * Atoms + I] =
          (I + Atoms - 300 + int(mixed(K * Atoms + I) % 601)) % Atoms;
  const int *List = onDevice(Indices);
  const auto *Position = (const float4 *)input<float>(4 * Atoms);
  const float *Cell = onDevice(std::vector<float>{0.75f, 0.8f, 0.9f});
  float *Expected = output<float>(Atoms), *Out = output<float>(Atoms);
  Pair P("minimum-image-box-hoisted");
  P.same(Expected, Out, Atoms);
  while (P.next())
    if (P.beforesTurn())
      before<<<(Atoms + 127) / 128, 128>>>(Position, List, Cell, Expected);
    else
      after<<<(Atoms + 127) / 128, 128>>>(Position, List, Cell, Out);
}

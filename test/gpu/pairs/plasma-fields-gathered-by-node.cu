// Rule: ?
// Electric and magnetic field at a million particles in no order, from the eight
// nodes about each: six arrays, or the six components of a node side by side in
// two float4.
// Options: --buffer=Cell=random,count=1048576,below=257983
#include "Pair.cuh"

constexpr int N = 1 << 20, Side = 64, Nodes = Side * Side * Side;
constexpr int Cells = Nodes - Side * Side - Side - 1;

__device__ void push(const float *Field, const float *Speed, float *Out,
                     int I) {
  const float X = Speed[I], Y = Speed[N + I], Z = Speed[2 * N + I];
  Out[I] = X + 0.1f * (Field[0] + Y * Field[5] - Z * Field[4]);
  Out[N + I] = Y + 0.1f * (Field[1] + Z * Field[3] - X * Field[5]);
  Out[2 * N + I] = Z + 0.1f * (Field[2] + X * Field[4] - Y * Field[3]);
}

__device__ float weight(const float *Inside, int Corner, int I) {
  const float X = Inside[I], Y = Inside[N + I], Z = Inside[2 * N + I];
  return (Corner & 1 ? X : 1 - X) * (Corner & 2 ? Y : 1 - Y) *
         (Corner & 4 ? Z : 1 - Z);
}

__device__ int node(int Cell, int Corner) {
  return Cell + (Corner & 1) + (Corner >> 1 & 1) * Side +
         (Corner >> 2) * Side * Side;
}

__global__ void before(const int *__restrict__ Cell,
                       const float *__restrict__ Inside,
                       const float *__restrict__ Grid,
                       const float *__restrict__ Speed, float *Out) {
  const int I = blockIdx.x * 128 + threadIdx.x;
  const int Mine = Cell[I];
  float Field[6] = {};
#pragma unroll
  for (int Corner = 0; Corner < 8; ++Corner) {
    const float Part = weight(Inside, Corner, I);
    const int At = node(Mine, Corner);
#pragma unroll
    for (int Component = 0; Component < 6; ++Component)
      Field[Component] += Part * Grid[Component * Nodes + At];
  }
  push(Field, Speed, Out, I);
}

__global__ void after(const int *__restrict__ Cell,
                      const float *__restrict__ Inside,
                      const float4 *__restrict__ Grid,
                      const float *__restrict__ Speed, float *Out) {
  const int I = blockIdx.x * 128 + threadIdx.x;
  const int Mine = Cell[I];
  float Field[6] = {};
#pragma unroll
  for (int Corner = 0; Corner < 8; ++Corner) {
    const float Part = weight(Inside, Corner, I);
    const int At = node(Mine, Corner);
    const float4 Electric = Grid[2 * At], Magnetic = Grid[2 * At + 1];
    Field[0] += Part * Electric.x;
    Field[1] += Part * Electric.y;
    Field[2] += Part * Electric.z;
    Field[3] += Part * Magnetic.x;
    Field[4] += Part * Magnetic.y;
    Field[5] += Part * Magnetic.z;
  }
  push(Field, Speed, Out, I);
}

int main() {
  const int *Cell = input<int>(N, Cells);
  const float *Inside = input<float>(6 * N), *Speed = Inside + 3 * N;
  const float *Planes = input<float>(6 * Nodes);
  const float *Together =
      arranged(Planes, 6 * Nodes, 8 * Nodes, [](size_t I) {
        const size_t Component = I % 8 / 4 * 3 + std::min<size_t>(I % 4, 2);
        return Component * Nodes + I / 8;
      });
  float *Expected = output<float>(3 * N), *Out = output<float>(3 * N);
  Pair P("plasma-fields-gathered-by-node");
  P.same(Expected, Out, 3 * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 128, 128>>>(Cell, Inside, Planes, Speed, Expected);
    else
      after<<<N / 128, 128>>>(Cell, Inside, (const float4 *)Together, Speed,
                              Out);
}

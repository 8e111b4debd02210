// Rule: cuda-memory-scalar-to-vector
// Visibilities of all pairs of 256 antennas in 32 channels, four a thread:
// samples in shared memory as planes of real and imaginary parts, or as pairs
// of complex numbers that are read by float4.
#include "Pair.cuh"

constexpr int Antennas = 256, Channels = 32, Times = 256;
constexpr int Tile = 32, Chunk = 8;

__device__ void addProduct(float2 &Sum, float Re1, float Im1, float Re2,
                           float Im2) {
  Sum.x += Re1 * Re2;
  Sum.x += Im1 * Im2;
  Sum.y += Im1 * Re2;
  Sum.y -= Re1 * Im2;
}

__global__ void before(const float2 *__restrict__ Samples,
                       float2 *__restrict__ Visibilities) {
  __shared__ float Re1[Chunk][Tile], Im1[Chunk][Tile];
  __shared__ float Re2[Chunk][Tile], Im2[Chunk][Tile];
  const int X = threadIdx.x, Y = threadIdx.y;
  const int Antenna = (Y * 16 + X) % Tile, Time = (Y * 16 + X) / Tile;
  const int Row = blockIdx.y * Tile, Column = blockIdx.x * Tile;
  float2 Sum[2][2] = {};
  for (int T = 0; T < Times; T += Chunk) {
    const float2 *From =
        Samples + (blockIdx.z * Times + T + Time) * Antennas + Antenna;
    const float2 First = From[Row], Second = From[Column];
    __syncthreads();
    Re1[Time][Antenna] = First.x;
    Im1[Time][Antenna] = First.y;
    Re2[Time][Antenna] = Second.x;
    Im2[Time][Antenna] = Second.y;
    __syncthreads();
#pragma unroll
    for (int K = 0; K < Chunk; ++K)
#pragma unroll
      for (int I = 0; I < 2; ++I)
#pragma unroll
        for (int J = 0; J < 2; ++J)
          addProduct(Sum[I][J], Re1[K][Y + 16 * I], Im1[K][Y + 16 * I],
                     Re2[K][X + 16 * J], Im2[K][X + 16 * J]);
  }
  float2 *To = Visibilities + (blockIdx.z * Antennas + Row + Y) * Antennas +
               Column + X;
  for (int I = 0; I < 2; ++I)
    for (int J = 0; J < 2; ++J)
      To[16 * I * Antennas + 16 * J] = Sum[I][J];
}

__global__ void after(const float2 *__restrict__ Samples,
                      float2 *__restrict__ Visibilities) {
  __shared__ float4 Of1[Chunk][Tile / 2], Of2[Chunk][Tile / 2];
  const int X = threadIdx.x, Y = threadIdx.y;
  const int Antenna = (Y * 16 + X) % Tile, Time = (Y * 16 + X) / Tile;
  const int Row = blockIdx.y * Tile, Column = blockIdx.x * Tile;
  float2 Sum[2][2] = {};
  for (int T = 0; T < Times; T += Chunk) {
    const float2 *From =
        Samples + (blockIdx.z * Times + T + Time) * Antennas + Antenna;
    const float2 First = From[Row], Second = From[Column];
    __syncthreads();
    reinterpret_cast<float2 *>(Of1[Time])[Antenna] = First;
    reinterpret_cast<float2 *>(Of2[Time])[Antenna] = Second;
    __syncthreads();
#pragma unroll
    for (int K = 0; K < Chunk; ++K) {
      const float4 A = Of1[K][Y], B = Of2[K][X];
      addProduct(Sum[0][0], A.x, A.y, B.x, B.y);
      addProduct(Sum[0][1], A.x, A.y, B.z, B.w);
      addProduct(Sum[1][0], A.z, A.w, B.x, B.y);
      addProduct(Sum[1][1], A.z, A.w, B.z, B.w);
    }
  }
  float2 *To = Visibilities +
               (blockIdx.z * Antennas + Row + 2 * Y) * Antennas + Column +
               2 * X;
  for (int I = 0; I < 2; ++I)
    for (int J = 0; J < 2; ++J)
      To[I * Antennas + J] = Sum[I][J];
}

int main() {
  const float *Samples = input<float>(2 * Channels * Times * Antennas);
  constexpr int Results = Channels * Antennas * Antennas;
  float *Expected = output<float>(2 * Results),
        *Out = output<float>(2 * Results);
  Pair P("correlator-tile-float4");
  P.same(Expected, Out, 2 * Results);
  const dim3 Grid(Antennas / Tile, Antennas / Tile, Channels), Block(16, 16);
  while (P.next())
    if (P.beforesTurn())
      before<<<Grid, Block>>>((const float2 *)Samples, (float2 *)Expected);
    else
      after<<<Grid, Block>>>((const float2 *)Samples, (float2 *)Out);
}

// Rule: cuda-memory-uncoalesced-access
// A picture of floats is turned by 90 degrees and a little more, each pixel
// the nearest one. As advised, 'From' is transposed through shared memory:
// lanes read along its rows, and write along those of 'To'.
#include "../Pair.cuh"

constexpr int Side = 2048, Tile = 32, Extra = 4;

template <class F> __device__ void turn(float *To, F Pixel) {
  const int X = blockIdx.x * 32 + threadIdx.x, Y = blockIdx.y * 8 + threadIdx.y;
  // In fixed point, so that both agree about each pixel.
  const int U = Side - 1 - Y, V = X + (Y * 5 >> 5) & Side - 1;
  To[Y * Side + X] = Pixel(U, V);
}

__global__ void before(const float *__restrict__ From, float *To) {
  turn(To, [&](int U, int V) { return From[V * Side + U]; });
}

__global__ void after(const float *__restrict__ From, float *To) {
  // 32 rows of 'To' see 36 of 'From', as they are shifted by 0 to 4.
  __shared__ float Part[Tile + Extra][Tile + 1];
  const int X = blockIdx.x * Tile, Y = blockIdx.y * Tile;
  const int Lane = threadIdx.x, Line = threadIdx.y;
  const int U = Side - Tile - Y + Lane, V = X + (Y * 5 >> 5) + Line;
#pragma unroll
  for (int I = 0; I < Tile; I += 8)
    Part[Line + I][Lane] = From[((V + I) & (Side - 1)) * Side + U];
  if (Line < Extra)
    Part[Line + Tile][Lane] = From[((V + Tile) & (Side - 1)) * Side + U];
  __syncthreads();
#pragma unroll
  for (int I = 0; I < Tile; I += 8) {
    const int J = Line + I;
    To[(Y + J) * Side + X + Lane] = Part[Lane + (J * 5 >> 5)][Tile - 1 - J];
  }
}

int main() {
  const float *From = input<float>(Side * Side);
  float *Expected = output<float>(Side * Side),
        *Out = output<float>(Side * Side);
  Pair P("turned-by-texture-array-as-advised");
  P.same(Expected, Out, Side * Side);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Side / 32, Side / 8), dim3(32, 8)>>>(From, Expected);
    else
      after<<<dim3(Side / Tile, Side / Tile), dim3(32, 8)>>>(From, Out);
}

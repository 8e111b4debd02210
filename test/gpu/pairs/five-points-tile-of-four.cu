// Rule: cuda-memory-single-result
// Five points of a tile in shared memory: five loads for a result, or 14 for
// four in a column of a tile four times as high.
#include "Pair.cuh"

constexpr int N = 4096, Pitch = N + 2, Wide = 32, High = 8;

template <int Rows>
__device__ void fill(float (&Tile)[Rows + 2][Wide + 2], const float *In) {
  const float *From = In + blockIdx.y * Rows * Pitch + blockIdx.x * Wide;
  for (int Y = threadIdx.y; Y < Rows + 2; Y += High)
    for (int X = threadIdx.x; X < Wide + 2; X += Wide)
      Tile[Y][X] = From[Y * Pitch + X];
  __syncthreads();
}

__global__ void before(const float *In, float *Out) {
  __shared__ float Tile[High + 2][Wide + 2];
  fill<High>(Tile, In);
  const int X = threadIdx.x, Y = threadIdx.y;
  Out[(blockIdx.y * High + Y) * N + blockIdx.x * Wide + X] =
      0.2f * (Tile[Y + 1][X + 1] + Tile[Y + 1][X] + Tile[Y + 1][X + 2] +
              Tile[Y][X + 1] + Tile[Y + 2][X + 1]);
}

__global__ void after(const float *In, float *Out) {
  __shared__ float Tile[4 * High + 2][Wide + 2];
  fill<4 * High>(Tile, In);
  const int X = threadIdx.x, Y = 4 * threadIdx.y;
  float Column[6];
#pragma unroll
  for (int I = 0; I < 6; ++I)
    Column[I] = Tile[Y + I][X + 1];
#pragma unroll
  for (int I = 0; I < 4; ++I)
    Out[(blockIdx.y * 4 * High + Y + I) * N + blockIdx.x * Wide + X] =
        0.2f * (Column[I + 1] + Tile[Y + I + 1][X] + Tile[Y + I + 1][X + 2] +
                Column[I] + Column[I + 2]);
}

int main() {
  const float *In = input<float>(Pitch * Pitch);
  float *Expected = output<float>(N * N), *Out = output<float>(N * N);
  Pair P("five-points-tile-of-four");
  P.same(Expected, Out, N * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(N / Wide, N / High), dim3(Wide, High)>>>(In, Expected);
    else
      after<<<dim3(N / Wide, N / High / 4), dim3(Wide, High)>>>(In, Out);
}

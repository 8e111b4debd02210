// Rule: cuda-memory-single-result
// A step of Floyd and Warshall by tiles: rows of one panel, columns of another.
// As advised, a thread makes four results in a row along y, and keeps what it
// loads of 'Columns' in a register for all four.
#include "../Pair.cuh"

constexpr int N = 2048, Tile = 32, Each = 4;

__global__ void before(const float *Left, const float *Top, const float *Old,
                       float *New) {
  __shared__ float Rows[Tile][Tile], Columns[Tile][Tile];
  const int X = threadIdx.x, Y = threadIdx.y;
  const int Row = blockIdx.y * Tile + Y, Column = blockIdx.x * Tile + X;
  Rows[Y][X] = Left[Row * Tile + X];
  Columns[Y][X] = Top[Y * N + Column];
  __syncthreads();
  float Least = Old[Row * N + Column];
#pragma unroll
  for (int K = 0; K < Tile; ++K)
    Least = fminf(Least, Rows[Y][K] + Columns[K][X]);
  New[Row * N + Column] = Least;
}

__global__ void after(const float *Left, const float *Top, const float *Old,
                      float *New) {
  __shared__ float Rows[Tile][Tile], Columns[Tile][Tile];
  const int X = threadIdx.x, Y = threadIdx.y * Each;
  const int Row = blockIdx.y * Tile + Y, Column = blockIdx.x * Tile + X;
#pragma unroll
  for (int I = 0; I < Each; ++I) {
    Rows[Y + I][X] = Left[(Row + I) * Tile + X];
    Columns[Y + I][X] = Top[(Y + I) * N + Column];
  }
  __syncthreads();
  float Least[Each];
#pragma unroll
  for (int I = 0; I < Each; ++I)
    Least[I] = Old[(Row + I) * N + Column];
#pragma unroll
  for (int K = 0; K < Tile; ++K) {
    const float Below = Columns[K][X];
#pragma unroll
    for (int I = 0; I < Each; ++I)
      Least[I] = fminf(Least[I], Rows[Y + I][K] + Below);
  }
#pragma unroll
  for (int I = 0; I < Each; ++I)
    New[(Row + I) * N + Column] = Least[I];
}

int main() {
  const float *Left = input<float>(N * Tile), *Top = input<float>(N * Tile),
              *Old = input<float>(N * N);
  float *Expected = output<float>(N * N), *Out = output<float>(N * N);
  Pair P("shortest-paths-padded-as-advised");
  P.same(Expected, Out, N * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(N / Tile, N / Tile), dim3(Tile, Tile)>>>(Left, Top, Old,
                                                             Expected);
    else
      after<<<dim3(N / Tile, N / Tile), dim3(Tile, Tile / Each)>>>(Left, Top,
                                                                   Old, Out);
}

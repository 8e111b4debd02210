// Rule: cuda-memory-bank-conflict
// A step of Floyd and Warshall by tiles: rows of one panel, columns of another.
// All lanes read the same words of the first: there is no conflict to pad for,
// and padded rows cannot be read four words at a time.
#include "Pair.cuh"

constexpr int N = 2048, Tile = 32;

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
  __shared__ float Rows[Tile][Tile + 1], Columns[Tile][Tile + 1];
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

int main() {
  const float *Left = input<float>(N * Tile), *Top = input<float>(N * Tile),
              *Old = input<float>(N * N);
  float *Expected = output<float>(N * N), *Out = output<float>(N * N);
  Pair P("shortest-paths-padded");
  P.same(Expected, Out, N * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(N / Tile, N / Tile), dim3(Tile, Tile)>>>(Left, Top, Old,
                                                             Expected);
    else
      after<<<dim3(N / Tile, N / Tile), dim3(Tile, Tile)>>>(Left, Top, Old,
                                                            Out);
}

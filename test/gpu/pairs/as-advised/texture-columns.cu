// Rule: cuda-memory-uncoalesced-access
// Sums of nine neighbours along the columns of a transposed matrix: lanes load
// a row's length apart, or, as advised, a tile goes through shared memory, to
// which lanes bring neighbouring elements.
#include "../Pair.cuh"

constexpr int N = 1024, Pitch = N + 32;
constexpr int Side = 32, Long = Side + 8;

__global__ void before(const float *In, float *Out) {
  const int X = blockIdx.x * 32 + threadIdx.x;
  const int Y = blockIdx.y * 8 + threadIdx.y;
  float Sum = 0;
  for (int I = 0; I < 9; ++I)
    Sum += In[X * Pitch + Y + I];
  Out[Y * N + X] = Sum;
}

__global__ void after(const float *In, float *Out) {
  // An odd pitch: a column's elements lie in different banks.
  __shared__ float Tile[Side][Long + 1];
  const int X0 = blockIdx.x * Side, Y0 = blockIdx.y * Side;
#pragma unroll
  for (int K = 0; K < Side * Long; K += 256) {
    const int L = K + threadIdx.y * 32 + threadIdx.x;
    const int Row = L / Long, Column = L % Long;
    Tile[Row][Column] = In[(X0 + Row) * Pitch + Y0 + Column];
  }
  __syncthreads();
#pragma unroll
  for (int J = 0; J < Side; J += 8) {
    const int TY = J + threadIdx.y;
    float Sum = 0;
    for (int I = 0; I < 9; ++I)
      Sum += Tile[threadIdx.x][TY + I];
    Out[(Y0 + TY) * N + X0 + threadIdx.x] = Sum;
  }
}

int main() {
  float *In = input<float>(Pitch * Pitch);
  float *Expected = output<float>(N * N), *Out = output<float>(N * N);
  Pair P("texture-columns-as-advised");
  P.same(Expected, Out, N * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(N / 32, N / 8), dim3(32, 8)>>>(In, Expected);
    else
      after<<<dim3(N / Side, N / Side), dim3(32, 8)>>>(In, Out);
}

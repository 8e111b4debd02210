// Rule: cuda-memory-single-result
// Medians of 3 x 3 bytes from a tile in shared memory: a thread loads nine of
// them for its pixel, or walks down eight pixels of a column and loads three.
#include "Pair.cuh"

constexpr int Pitch = 4096, Lines = 4096, Wide = 32, High = 8, Results = 8;

__device__ int inOrder(int A, int B, int C) {
  return max(min(A, B), min(max(A, B), C));
}

/// Of three columns, each from above to below.
__device__ int medianOf(const int (&A)[3], const int (&B)[3],
                        const int (&C)[3]) {
  int Least = 0, Middle[3], Most = 255;
  for (int I = 0; I < 3; ++I) {
    Least = max(Least, min(min(A[I], B[I]), C[I]));
    Middle[I] = inOrder(A[I], B[I], C[I]);
    Most = min(Most, max(max(A[I], B[I]), C[I]));
  }
  return inOrder(Least, inOrder(Middle[0], Middle[1], Middle[2]), Most);
}

__global__ void before(const uint8_t *In, int16_t *Out) {
  __shared__ uint8_t Tile[High + 2][Wide + 2];
  const int X0 = blockIdx.x * Wide, Y0 = blockIdx.y * High;
  for (int Y = threadIdx.y; Y < High + 2; Y += High)
    for (int X = threadIdx.x; X < Wide + 2; X += Wide)
      Tile[Y][X] = In[(Y0 + Y) * (Pitch + 2) + X0 + X];
  __syncthreads();
  const int X = threadIdx.x, Y = threadIdx.y;
  int Above[3], Middle[3], Below[3];
  for (int I = 0; I < 3; ++I) {
    Above[I] = Tile[Y][X + I];
    Middle[I] = Tile[Y + 1][X + I];
    Below[I] = Tile[Y + 2][X + I];
  }
  Out[(Y0 + Y) * Pitch + X0 + X] = Middle[1] - medianOf(Above, Middle, Below);
}

__global__ void after(const uint8_t *In, int16_t *Out) {
  constexpr int Rows = High * Results;
  __shared__ uint8_t Tile[Rows + 2][Wide + 2];
  const int X0 = blockIdx.x * Wide, Y0 = blockIdx.y * Rows;
  for (int Y = threadIdx.y; Y < Rows + 2; Y += High)
    for (int X = threadIdx.x; X < Wide + 2; X += Wide)
      Tile[Y][X] = In[(Y0 + Y) * (Pitch + 2) + X0 + X];
  __syncthreads();
  const int X = threadIdx.x, Y1 = threadIdx.y * Results;
  int Above[3], Middle[3];
  for (int I = 0; I < 3; ++I) {
    Above[I] = Tile[Y1][X + I];
    Middle[I] = Tile[Y1 + 1][X + I];
  }
#pragma unroll
  for (int Y = Y1; Y < Y1 + Results; ++Y) {
    int Below[3];
    for (int I = 0; I < 3; ++I)
      Below[I] = Tile[Y + 2][X + I];
    Out[(Y0 + Y) * Pitch + X0 + X] = Middle[1] - medianOf(Above, Middle, Below);
    for (int I = 0; I < 3; ++I) {
      Above[I] = Middle[I];
      Middle[I] = Below[I];
    }
  }
}

int main() {
  const uint8_t *In = input<uint8_t>((Lines + 2) * (Pitch + 2));
  int16_t *Expected = output<int16_t>(Pitch * Lines),
          *Out = output<int16_t>(Pitch * Lines);
  Pair P("missing-reuse-window");
  P.same(Expected, Out, Pitch * Lines);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Pitch / Wide, Lines / High), dim3(Wide, High)>>>(In,
                                                                     Expected);
    else
      after<<<dim3(Pitch / Wide, Lines / High / Results), dim3(Wide, High)>>>(
          In, Out);
}

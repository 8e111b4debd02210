// Windows of a tile in shared memory: each thread loads what the one below it
// loads, too, or walks down a column and keeps it.
//
// RUN: %warpwise check --checks='-*,cuda-memory-single-result' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

using uint8_t = unsigned char;
constexpr int Pitch = 4096, Lines = 4096, Wide = 32, High = 8, Results = 8;

__device__ int inOrder(int A, int B, int C) {
  return max(min(A, B), min(max(A, B), C));
}

__global__ void before(const uint8_t *In, short *Out) {
  __shared__ uint8_t Tile[High + 2][Wide + 2];
  const int X0 = blockIdx.x * Wide, Y0 = blockIdx.y * High;
  for (int Y = threadIdx.y; Y < High + 2; Y += High)
    for (int X = threadIdx.x; X < Wide + 2; X += Wide)
      Tile[Y][X] = In[(Y0 + Y) * Pitch + X0 + X];
  __syncthreads();
  const int X = threadIdx.x, Y = threadIdx.y;
  int Found[3];
  for (int I = 0; I < 3; ++I)
    // CHECK: [[@LINE+1]]:24: warning: a thread loads 9 elements of 'Tile' for one result, and the next one along y loads 6 of them again; about 1.{{[2-7].*}}x faster {{.*}} when repaired [cuda-memory-single-result]
    Found[I] = inOrder(Tile[Y][X + I], Tile[Y + 1][X + I], Tile[Y + 2][X + I]);
  // CHECK: note: give each thread 4 results or more in a row along y, and keep in registers what the next one needs, too; 4.5 loads for each are left
  Out[(Y0 + Y) * Pitch + X0 + X] = inOrder(Found[0], Found[1], Found[2]);
}

__global__ void after(const uint8_t *In, short *Out) {
  constexpr int Rows = High * Results;
  __shared__ uint8_t Tile[Rows + 2][Wide + 2];
  const int X0 = blockIdx.x * Wide, Y0 = blockIdx.y * Rows;
  for (int Y = threadIdx.y; Y < Rows + 2; Y += High)
    for (int X = threadIdx.x; X < Wide + 2; X += Wide)
      Tile[Y][X] = In[(Y0 + Y) * Pitch + X0 + X];
  __syncthreads();
  const int X = threadIdx.x, Y1 = threadIdx.y * Results;
  int Above[3], Middle[3];
  for (int I = 0; I < 3; ++I) {
    Above[I] = Tile[Y1][X + I];
    Middle[I] = Tile[Y1 + 1][X + I];
  }
#pragma unroll
  for (int Y = Y1; Y < Y1 + Results; ++Y) {
    int Found[3];
    for (int I = 0; I < 3; ++I) {
      const int Below = Tile[Y + 2][X + I];
      Found[I] = inOrder(Above[I], Middle[I], Below);
      Above[I] = Middle[I];
      Middle[I] = Below;
    }
    Out[(Y0 + Y) * Pitch + X0 + X] = inOrder(Found[0], Found[1], Found[2]);
  }
}

// Columns of one matrix serve all rows of the other.
__global__ void paths(const float *Left, const float *Top, float *Out) {
  __shared__ float Rows[16][16], Columns[16][16];
  const int X = threadIdx.x, Y = threadIdx.y;
  const int Row = blockIdx.y * 16 + Y, Column = blockIdx.x * 16 + X;
  Rows[Y][X] = Left[Row * 16 + X];
  Columns[Y][X] = Top[Y * Pitch + Column];
  __syncthreads();
  float Least = 1e9f;
#pragma unroll
  for (int K = 0; K < 16; ++K)
    // CHECK: [[@LINE+1]]:39: warning: a thread loads 16 elements of 'Columns' for one result, and the next one along y loads 16 of them again
    Least = fminf(Least, Rows[Y][K] + Columns[K][X]);
  Out[Row * Pitch + Column] = Least;
}

void launch(const uint8_t *In, short *Out, const float *Left, const float *Top,
            float *Least) {
  before<<<dim3(Pitch / Wide, Lines / High), dim3(Wide, High)>>>(In, Out);
  after<<<dim3(Pitch / Wide, Lines / High / Results), dim3(Wide, High)>>>(In,
                                                                          Out);
  paths<<<dim3(Pitch / 16, Lines / 16), dim3(16, 16)>>>(Left, Top, Least);
}
// CHECK: note: 2 warnings in 3 kernels

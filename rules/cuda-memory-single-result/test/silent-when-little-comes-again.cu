// Loads of shared memory that the next thread does not repeat, or that it could
// not keep.
//
// RUN: %warpwise check --checks='-*,cuda-memory-single-result' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:
// CHECK: note: 0 warnings in 7 kernels

constexpr int Pitch = 4096, Lines = 4096, Wide = 32, High = 8;

__device__ float heavy(float A, float B, float C) {
  return fmaxf(fminf(A, B), fminf(fmaxf(A, B), C));
}

// A window along x: lanes would lie as far apart as there are results.
__global__ void alongX(const float *In, float *Out) {
  __shared__ float Row[256 + 8];
  const int X = threadIdx.x, X0 = blockIdx.x * 256;
  Row[X] = In[X0 + X];
  if (X < 8)
    Row[256 + X] = In[X0 + 256 + X];
  __syncthreads();
  Out[X0 + X] = heavy(Row[X], Row[X + 1], Row[X + 2]) +
                heavy(Row[X + 3], Row[X + 4], Row[X + 5]) +
                heavy(Row[X + 6], Row[X + 7], Row[X + 8]);
}

// A barrier between the loads of one thread and those of the next.
__global__ void betweenBarriers(const float *In, float *Out) {
  __shared__ float Tile[High + 2][Wide];
  const int X = threadIdx.x, Y = threadIdx.y;
  const int At = (blockIdx.y * High + Y) * Pitch + blockIdx.x * Wide + X;
  Tile[Y][X] = In[At];
  __syncthreads();
  const float A = Tile[Y][X];
  __syncthreads();
  Tile[Y][X] = A * A;
  __syncthreads();
  const float B = Tile[(Y + 1) % High][X];
  __syncthreads();
  Tile[Y][X] = B * A;
  __syncthreads();
  Out[At] = heavy(A, B, Tile[(Y + 2) % High][X]);
}

// One of five comes again.
__global__ void oneOfFive(const float *In, float *Out) {
  __shared__ float Tile[High + 2][Wide + 2];
  const int X = threadIdx.x, Y = threadIdx.y;
  const int X0 = blockIdx.x * Wide, Y0 = blockIdx.y * High;
  for (int I = Y * Wide + X; I < (High + 2) * (Wide + 2); I += Wide * High)
    Tile[I / (Wide + 2)][I % (Wide + 2)] =
        In[(Y0 + I / (Wide + 2)) * Pitch + X0 + I % (Wide + 2)];
  __syncthreads();
  Out[(Y0 + Y) * Pitch + X0 + X] =
      heavy(Tile[Y][X], Tile[Y][X + 1], Tile[Y][X + 2]) *
      fmaxf(Tile[Y + 1][X + 1], Tile[Y + 2][X]);
}

// Threads that have several results each already.
__global__ void severalResults(const float *Left, const float *Top,
                               float *Out) {
  __shared__ float Rows[64][16], Columns[16][16];
  const int X = threadIdx.x, Y = threadIdx.y;
  const int Row = blockIdx.y * 64 + Y, Column = blockIdx.x * 16 + X;
  for (int R = 0; R < 64; R += 16)
    Rows[Y + R][X] = Left[(Row + R) * 16 + X];
  Columns[Y][X] = Top[Y * Pitch + Column];
  __syncthreads();
  float Least[4] = {1e9f, 1e9f, 1e9f, 1e9f};
#pragma unroll
  for (int K = 0; K < 16; ++K)
#pragma unroll
    for (int R = 0; R < 4; ++R)
      Least[R] = fminf(Least[R], Rows[Y + 16 * R][K] + Columns[K][X]);
#pragma unroll
  for (int R = 0; R < 4; ++R)
    Out[(Row + 16 * R) * Pitch + Column] = Least[R];
}

// The threads of a column share one result.
__global__ void together(const float *In, float *Out) {
  __shared__ float Parts[High][Wide];
  const int X = threadIdx.x, Y = threadIdx.y;
  Parts[Y][X] = In[(blockIdx.y * High + Y) * Pitch + blockIdx.x * Wide + X];
  __syncthreads();
  float Sum = 0;
#pragma unroll
  for (int I = 0; I < High; ++I)
    Sum += Parts[I][X];
  atomicAdd(&Out[blockIdx.x * Wide + X], Sum / High);
}

__global__ void theFirstStores(const float *In, float *Out) {
  __shared__ float Parts[High][Wide];
  const int X = threadIdx.x, Y = threadIdx.y;
  Parts[Y][X] = In[(blockIdx.y * High + Y) * Pitch + blockIdx.x * Wide + X];
  __syncthreads();
  float Sum = 0;
#pragma unroll
  for (int I = 0; I < High; ++I)
    Sum += Parts[I][X];
  if (Y == 0)
    Out[blockIdx.y * Pitch + blockIdx.x * Wide + X] = Sum / High;
}

// One row of blocks: none are left to be joined.
__global__ void oneRow(const float *In, float *Out) {
  __shared__ float Tile[High + 2][Wide];
  const int X = threadIdx.x, Y = threadIdx.y;
  const int At = Y * Pitch + blockIdx.x * Wide + X;
  Tile[Y][X] = In[At];
  if (Y < 2)
    Tile[Y + High][X] = In[At + High * Pitch];
  __syncthreads();
  Out[At] = heavy(Tile[Y][X], Tile[Y + 1][X], Tile[Y + 2][X]);
}

void launch(const float *In, float *Out) {
  const dim3 Grid(Pitch / Wide, Lines / High), Block(Wide, High);
  alongX<<<4096, 256>>>(In, Out);
  betweenBarriers<<<Grid, Block>>>(In, Out);
  oneOfFive<<<Grid, Block>>>(In, Out);
  severalResults<<<dim3(Pitch / 16, Lines / 64), dim3(16, 16)>>>(In, In, Out);
  together<<<Grid, Block>>>(In, Out);
  theFirstStores<<<Grid, Block>>>(In, Out);
  oneRow<<<Pitch / Wide, Block>>>(In, Out);
}

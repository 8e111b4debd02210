// Rows of a matrix that go through shared memory, where each thread reads what
// it wrote; the same without. A tile that turns rows into columns pays.
//
// RUN: %checkpriced --explain --checks='-*,cuda-memory-needless-staging' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

constexpr int Rows = 1024, Columns = 8192, Slices = 8, Block = 128;

__global__ void before(const float *Matrix, const float *Vector, float *Out) {
  __shared__ float Tile[16][Block];
  const int T = threadIdx.x, C = blockIdx.x * Block + T;
  const int Start = blockIdx.y * (Rows / Slices);
  float Sum = 0;
  for (int R = Start; R < Start + Rows / Slices; R += 16) {
#pragma unroll
    for (int I = 0; I < 16; ++I)
      // CHECK: [[@LINE+5]]:18: warning: what is copied from 'Matrix' to 'Tile' is read there once; about 1.{{[1-4].*}}x faster {{.*}} when repaired [cuda-memory-needless-staging]
      // CHECK: note: the copy, the barrier after it and the room in shared memory cost more than they save
      // CHECK: note: the kernel takes about
      // CHECK: note: block is 128, from this launch
      // CHECK: note: load from 'Matrix' where 'Tile' is read, and leave out the copy and its barrier{{$}}
      Tile[I][T] = Matrix[(R + I) * Columns + C];
    __syncthreads();
#pragma unroll
    for (int I = 0; I < 16; ++I)
      Sum += Vector[R + I] * Tile[I][T];
    __syncthreads();
  }
  Out[blockIdx.y * Columns + C] = Sum;
}

__global__ void after(const float *Matrix, const float *Vector, float *Out) {
  const int C = blockIdx.x * Block + threadIdx.x;
  const int Start = blockIdx.y * (Rows / Slices);
  float Sum = 0;
#pragma unroll 16
  for (int R = Start; R < Start + Rows / Slices; ++R)
    Sum += Vector[R] * Matrix[R * Columns + C];
  Out[blockIdx.y * Columns + C] = Sum;
}

// Two arrays that one barrier is for.
__global__ void scalesAndShifts(const float *In, const float *Scale,
                                const float *Shift, float *Out) {
  __shared__ float A[64], B[64];
  if (threadIdx.y == 0) {
    // CHECK: [[@LINE+4]]:20: warning: what is copied from 'Scale' to 'A' is read there about 4 times, which L1 serves as well;
    // CHECK: note: so is what is copied to 'B'
    // CHECK: note: the copy, the barrier after it and the room in shared memory cost more than they save
    // CHECK: note: load from 'Scale' where 'A' is read, and leave out the copies and their barrier
    A[threadIdx.x] = Scale[blockIdx.x * 64 + threadIdx.x];
    B[threadIdx.x] = Shift[blockIdx.x * 64 + threadIdx.x];
  }
  __syncthreads();
  const int I = (blockIdx.x * 4 + threadIdx.y) * 64 + threadIdx.x;
  Out[I] = In[I] * A[threadIdx.x] + B[threadIdx.x];
}

__global__ void transpose(const float *In, float *Out) {
  __shared__ float Tile[32][33];
  const int X = blockIdx.x * 32, Y = blockIdx.y * 32;
  Tile[threadIdx.y][threadIdx.x] =
      In[(Y + threadIdx.y) * Rows + X + threadIdx.x];
  __syncthreads();
  Out[(X + threadIdx.y) * Rows + Y + threadIdx.x] =
      Tile[threadIdx.x][threadIdx.y];
}

// Without the tile each load would wait for the store of the round before.
__global__ void reversed(const float *In, float *Out) {
  __shared__ float Tile[32][33];
  const int X = blockIdx.x * 32 + threadIdx.x, Y = blockIdx.y * 32;
  for (int I = threadIdx.y; I < 32; I += 8)
    // CHECK: [[@LINE+2]]:26: warning: what is copied from 'In' to 'Tile' is read there once;
    // CHECK: note: load from 'In' where 'Tile' is read, and leave out the copy and its barrier; declare the kernel's pointers __restrict__, else each load waits for the store before it
    Tile[I][threadIdx.x] = In[(Y + I) * Columns + X];
  __syncthreads();
  for (int I = threadIdx.y; I < 32; I += 8)
    Out[(Y + I) * Columns + Columns - 1 - X] = Tile[I][threadIdx.x];
}

void launch(const float *Matrix, const float *Vector, float *Out) {
  before<<<dim3(Columns / Block, Slices), Block>>>(Matrix, Vector, Out);
  after<<<dim3(Columns / Block, Slices), Block>>>(Matrix, Vector, Out);
  transpose<<<dim3(32, 32), dim3(32, 32)>>>(Matrix, Out);
  reversed<<<dim3(Columns / 32, Rows / 32), dim3(32, 8)>>>(Matrix, Out);
  scalesAndShifts<<<40000, dim3(64, 4)>>>(Matrix, Vector, Vector, Out);
}
// CHECK: note: 3 warnings in 5 kernels

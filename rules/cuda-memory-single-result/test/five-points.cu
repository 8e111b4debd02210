// Stencils of five points and of seven: of four results in a column two loads
// of five come again, in a tile or from global memory.
//
// RUN: %checkpriced --checks='-*,cuda-memory-single-result' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 | FileCheck %s --implicit-check-not=warning:

constexpr int N = 4096, Pitch = N + 2, Wide = 32, High = 8, Plane = 512 * 512;

__global__ void fromGlobal(const float *In, float *Out) {
  const int X = blockIdx.x * Wide + threadIdx.x + 1;
  const int Y = blockIdx.y * High + threadIdx.y + 1;
  const float *At = In + Y * Pitch + X;
  // CHECK: [[@LINE+1]]:{{.*}}: warning: a thread makes 5 loads from global memory for one result, and the next one along y makes 2 of them again, as here of 'In'; about 1.4{{[0-9]}}x faster
  Out[Y * Pitch + X] = At[0] + At[-1] + At[1] + At[-Pitch] + At[Pitch];
  // CHECK: note: give each thread 4 results or more in a row along y, and keep in registers what the next one needs, too; 3.5 loads for each are left
}

__global__ void fromTile(const float *In, float *Out) {
  __shared__ float Tile[High + 2][Wide + 2];
  const int X = threadIdx.x, Y = threadIdx.y;
  const float *From = In + blockIdx.y * High * Pitch + blockIdx.x * Wide;
  for (int J = Y; J < High + 2; J += High)
    for (int I = X; I < Wide + 2; I += Wide)
      Tile[J][I] = From[J * Pitch + I];
  __syncthreads();
  // CHECK: [[@LINE+3]]:{{.*}}: warning: a thread loads 5 elements of 'Tile' for one result, and the next one along y loads 2 of them again; about 1.{{[0-9]+}}x faster
  // CHECK: note: give each thread 4 results or more in a row along y
  Out[(blockIdx.y * High + Y) * N + blockIdx.x * Wide + X] =
      Tile[Y + 1][X + 1] + Tile[Y + 1][X] + Tile[Y + 1][X + 2] +
      Tile[Y][X + 1] + Tile[Y + 2][X + 1];
}

__global__ void ofSpace(const float *In, float *Out) {
  const int I = (blockIdx.z + 1) * Plane + (blockIdx.y * High + threadIdx.y + 1) * 512 +
                blockIdx.x * Wide + threadIdx.x + 1;
  // CHECK: [[@LINE+1]]:{{.*}}: warning: a thread makes 7 loads from global memory for one result, and the next one along {{[yz]}} makes 2 of them again, as here of 'In'
  Out[I] = In[I] + In[I - 1] + In[I + 1] + In[I - 512] + In[I + 512] +
           In[I - Plane] + In[I + Plane];
  // CHECK: note: give each thread 4 results or more in a row along {{[yz]}}
}

__global__ void inAColumn(const float *In, float *Out) {
  const int X = blockIdx.x * Wide + threadIdx.x + 1;
  const int Y = (blockIdx.y * High + threadIdx.y) * 4 + 1;
  float Column[6];
#pragma unroll
  for (int I = 0; I < 6; ++I)
    Column[I] = In[(Y + I - 1) * Pitch + X];
#pragma unroll
  for (int I = 0; I < 4; ++I)
    Out[(Y + I) * Pitch + X] = In[(Y + I) * Pitch + X - 1] +
                               In[(Y + I) * Pitch + X + 1] + Column[I] +
                               Column[I + 1] + Column[I + 2];
}

void launch(const float *In, float *Out) {
  const dim3 Block(Wide, High);
  fromGlobal<<<dim3(N / Wide, N / High), Block>>>(In, Out);
  fromTile<<<dim3(N / Wide, N / High), Block>>>(In, Out);
  ofSpace<<<dim3(15, 63, 510), Block>>>(In, Out);
  inAColumn<<<dim3(N / Wide, N / High / 4), Block>>>(In, Out);
}
// CHECK: note: 3 warnings in 4 kernels

// Loads from global memory that the next thread does not repeat, that data
// place, or whose blocks none are beside.
//
// RUN: %warpwise check --min-gain=0 --checks='-*,cuda-memory-single-result' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:
// CHECK: note: 0 warnings in 5 kernels

constexpr int Pitch = 4096, Lines = 4096, Wide = 32, High = 8;

__device__ float heavy(float A, float B, float C) {
  return fmaxf(fminf(A, B), fminf(fmaxf(A, B), C));
}

__global__ void ownPlanes(const float *In, float *Out) {
  const int X = blockIdx.x * Wide + threadIdx.x;
  const int Y = blockIdx.y * High + threadIdx.y;
  const float *Here = In + Y * Pitch + X;
  Out[Y * Pitch + X] = heavy(Here[0], Here[Pitch * Lines], Here[2 * Pitch * Lines]);
}

// The next thread repeats one of five.
__global__ void corner(const float *In, float *Out) {
  const int X = blockIdx.x * Wide + threadIdx.x + 1;
  const int Y = blockIdx.y * High + threadIdx.y + 1;
  const float *Here = In + Y * Pitch + X;
  Out[Y * Pitch + X] = heavy(Here[0], Here[40], Here[80]) +
                       heavy(Here[120], Here[0], Here[Pitch]);
}

__global__ void placed(const float *In, const int *Where, float *Out) {
  const int X = blockIdx.x * Wide + threadIdx.x;
  const int Y = blockIdx.y * High + threadIdx.y;
  const int At = Where[X];
  Out[Y * Pitch + X] = heavy(In[At + Y * Pitch], In[At + (Y + 1) * Pitch],
                             In[At + (Y + 2) * Pitch]);
}

__global__ void inPlace(float *In) {
  const int X = blockIdx.x * Wide + threadIdx.x;
  const int Y = blockIdx.y * High + threadIdx.y;
  float *Here = In + Y * Pitch + X;
  Here[0] = heavy(Here[0], Here[Pitch], Here[2 * Pitch]);
}

__global__ void oneRow(const float *In, float *Out) {
  const int X = blockIdx.x * Wide + threadIdx.x;
  const float *Here = In + threadIdx.y * Pitch + X;
  Out[threadIdx.y * Pitch + X] = heavy(Here[0], Here[Pitch], Here[2 * Pitch]);
}

void launch(float *In, const int *Where, float *Out) {
  const dim3 Block(Wide, High), Grid(Pitch / Wide - 1, Lines / High - 1);
  ownPlanes<<<Grid, Block>>>(In, Out);
  corner<<<Grid, Block>>>(In, Out);
  placed<<<Grid, Block>>>(In, Where, Out);
  inPlace<<<Grid, Block>>>(In);
  oneRow<<<dim3(Pitch / Wide, 1), dim3(Wide, 2)>>>(In, Out);
}

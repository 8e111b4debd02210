// Each lane has every other element of a row, and the same of the next row: the two
// do not make a vector, nor do the stores of two branches.
//
// RUN: %warpwise check --checks='-*,cuda-memory-uncoalesced-access' \
// RUN:   --profile=nvidia-h200 --quiet %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not='as one vector'

__global__ void gather(double *Out, const double *In, int Pitch) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x, Y = blockIdx.y;
  // CHECK: [[@LINE+2]]:7: warning: global load is uncoalesced: {{.*}}2 requests together take about 32 (ideal 16)
  Out[Y * gridDim.x * blockDim.x + X] =
      In[2 * Y * Pitch + 2 * X + Y % 2] +
      In[(2 * Y + 1) * Pitch + 2 * X + Y % 2];
}

__global__ void spread(double *Out, const double *In, unsigned Width,
                       unsigned Height, unsigned Pitch, unsigned Planes) {
  const unsigned X = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned Y = blockIdx.y * blockDim.y + threadIdx.y;
  for (unsigned Plane = 0; Plane < Planes; ++Plane) {
    const double Value = In[Y * Width * Planes + Plane * Width + X];
    if (2 * Y < Height && 2 * X + Y % 2 < Width)
      // CHECK: [[@LINE+1]]:67: warning: global store is uncoalesced
      Out[2 * Y * Pitch * Planes + Plane * Pitch + 2 * X + Y % 2] = Value;
    if (2 * Y + 1 < Height && 2 * X + Y % 2 < Width)
      Out[(2 * Y + 1) * Pitch * Planes + Plane * Pitch + 2 * X + Y % 2] = Value;
  }
}

void run(double *Out, const double *In, unsigned Width, unsigned Height,
         unsigned Pitch, unsigned Planes, dim3 Block) {
  spread<<<dim3(Width / Block.x, Height / Block.y), Block>>>(
      Out, In, Width, Height, Pitch, Planes);
}

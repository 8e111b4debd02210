// Of a block whose rows the command line decides the rest is kept: its threads are a
// column, and each warp walks down one.
//
// RUN: %warpwise accesses %s | FileCheck %s

extern "C" int atoi(const char *);

// CHECK: "name": "columns(
// CHECK: "block": [
// CHECK-NEXT: 1,
// CHECK-NEXT: 256,
// CHECK-NEXT: 1
// CHECK: "source": "assumed",
__global__ void columns(unsigned char *Out, const unsigned char *In, int Width) {
  extern __shared__ unsigned char Column[];
  const int X = blockIdx.x * blockDim.x + threadIdx.x;
  const int Y = blockIdx.y * blockDim.y + threadIdx.y;
  // CHECK: "op": "load"
  // CHECK: "proof": "estimated",
  // CHECK: "sectors": 32,
  Column[threadIdx.y] = In[Y * Width + X];
  __syncthreads();
  Out[Y * Width + X] = Column[blockDim.y - 1 - threadIdx.y];
}

int main(int, char **Arguments) {
  const int Rows = atoi(Arguments[1]), Width = atoi(Arguments[2]);
  unsigned char *In, *Out;
  cudaMalloc(&In, Width * Width);
  cudaMalloc(&Out, Width * Width);
  dim3 Block, Grid;
  Block.x = 1;
  Block.y = Rows;
  Grid.x = Width;
  Grid.y = Width / Rows;
  columns<<<Grid, Block, Rows>>>(Out, In, Width);
}

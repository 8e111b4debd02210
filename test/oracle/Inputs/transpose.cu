// Tiles of a transposition: with bank conflicts, padded, skewed, and straight
// through global memory.

constexpr int Width = 64;

__global__ void straight(const float *In, float *Out, int Rows, int Columns) {
  int X = blockIdx.x * blockDim.x + threadIdx.x;
  int Y = blockIdx.y * blockDim.y + threadIdx.y;
  if (X < Columns && Y < Rows)
    Out[X * Rows + Y] = In[Y * Columns + X];
}

template <int Padding> __global__ void tiled(const float *In, float *Out) {
  __shared__ float Tile[32][32 + Padding];
  int X = blockIdx.x * 32 + threadIdx.x;
  int Y = blockIdx.y * 32 + threadIdx.y;
  for (int J = 0; J < 32; J += 8)
    Tile[threadIdx.y + J][threadIdx.x] = In[(Y + J) * Width + X];
  __syncthreads();
  X = blockIdx.y * 32 + threadIdx.x;
  Y = blockIdx.x * 32 + threadIdx.y;
  for (int J = 0; J < 32; J += 8)
    Out[(Y + J) * Width + X] = Tile[threadIdx.x][threadIdx.y + J];
}

__global__ void skewed(const double *In, double *Out) {
  __shared__ double Tile[16 * 16];
  int X = threadIdx.x, Y = threadIdx.y;
  Tile[Y * 16 + (X ^ Y)] = In[Y * 16 + X];
  __syncthreads();
  Out[Y * 16 + X] = Tile[X * 16 + (X ^ Y)];
}

int main() {
  float *A, *B;
  double *C, *D;
  cudaMalloc(&A, Width * Width * sizeof(float));
  cudaMalloc(&B, Width * Width * sizeof(float));
  cudaMalloc(&C, 256 * sizeof(double));
  cudaMalloc(&D, 256 * sizeof(double));
  straight<<<dim3(2, 2), dim3(16, 8)>>>(A, B, 14, 27);
  tiled<0><<<dim3(2, 2), dim3(32, 8)>>>(A, B);
  tiled<1><<<dim3(2, 2), dim3(32, 8)>>>(A, B);
  skewed<<<1, dim3(16, 16)>>>(C, D);
}

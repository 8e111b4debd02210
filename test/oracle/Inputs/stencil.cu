// Guards of several parts, halos, and blocks of two and three dimensions whose
// last warps are not full.

__global__ void jacobi(const float *In, float *Out, int Width, int Height) {
  int X = blockIdx.x * blockDim.x + threadIdx.x;
  int Y = blockIdx.y * blockDim.y + threadIdx.y;
  if (X >= 1 && X < Width - 1 && Y >= 1 && Y < Height - 1)
    Out[Y * Width + X] =
        0.25f * (In[Y * Width + X - 1] + In[Y * Width + X + 1] +
                 In[(Y - 1) * Width + X] + In[(Y + 1) * Width + X]);
}

__global__ void halo(const float *In, float *Out, int Width) {
  __shared__ float Tile[10][18];
  int X = threadIdx.x, Y = threadIdx.y;
  int At = (blockIdx.y * 8 + Y + 1) * Width + blockIdx.x * 16 + X + 1;
  Tile[Y + 1][X + 1] = In[At];
  if (X == 0 && Y >= 1)
    Tile[Y + 1][0] = In[At - 1];
  if (X == 15 || (Y == 0 && X > 3))
    Tile[Y + 1][X + 2] = In[At + 1];
  if (Y == 0)
    Tile[0][X + 1] = In[At - Width];
  if (Y == 7)
    Tile[9][X + 1] = In[At + Width];
  __syncthreads();
  Out[At] =
      Tile[Y][X + 1] + Tile[Y + 2][X + 1] + Tile[Y + 1][X] + Tile[Y + 1][X + 2];
}

__global__ void volume(const double *In, double *Out, int NX, int NY, int NZ) {
  int X = blockIdx.x * blockDim.x + threadIdx.x;
  int Y = blockIdx.y * blockDim.y + threadIdx.y;
  int Z = blockIdx.z * blockDim.z + threadIdx.z;
  if (X >= NX || Y >= NY || Z >= NZ)
    return;
  int At = (Z * NY + Y) * NX + X;
  double Sum = In[At];
  if (Z > 0)
    Sum += In[At - NX * NY];
  if (Z + 1 < NZ)
    Sum += In[At + NX * NY];
  Out[At] = Sum;
}

__global__ void columns(const float *In, float *Out, int NX, int NY, int NZ) {
  int X = blockIdx.x * blockDim.x + threadIdx.x;
  int Y = blockIdx.y * blockDim.y + threadIdx.y;
  float Below = 0, Here = In[Y * NX + X];
  for (int Z = 1; Z < NZ; ++Z) {
    float Above = In[(Z * NY + Y) * NX + X];
    if (X > 0 && X < NX - 1)
      Out[((Z - 1) * NY + Y) * NX + X] = Below + Here + Above;
    Below = Here;
    Here = Above;
  }
}

int main() {
  float *A, *B;
  double *C, *D;
  cudaMalloc(&A, 1 << 20);
  cudaMalloc(&B, 1 << 20);
  cudaMalloc(&C, 1 << 20);
  cudaMalloc(&D, 1 << 20);
  jacobi<<<dim3(2, 2), dim3(32, 4)>>>(A, B, 50, 7);
  halo<<<dim3(2, 2), dim3(16, 8)>>>(A, B, 34);
  volume<<<dim3(2, 1, 2), dim3(5, 3, 3)>>>(C, D, 9, 3, 5);
  columns<<<dim3(2, 1), dim3(20, 5)>>>(A, B, 40, 5, 6);
}

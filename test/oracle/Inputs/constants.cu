// Constant and device variables, by-value structs, tables in the code.

struct Setup {
  int Width, Height;
  float Scale;
  const float *Image;
  short Offsets[4];
};

__constant__ float Filter[64];
__constant__ int Order[8] = {3, 1, 0, 2, 7, 5, 4, 6};
__device__ float Results[1024];
static __device__ const int Zigzag[16] = {0, 1, 5,  6,  2, 4,  7,  12,
                                          3, 8, 11, 13, 9, 10, 14, 15};

__global__ void convolve(const float *In, float *Out) {
  int T = threadIdx.x;
  float Sum = 0;
  for (int K = 0; K < 9; ++K)
    Sum += Filter[K] * In[T + K];
  Out[T] = Sum + Filter[T % 3] + Filter[T & 15];
}

__global__ void permute(const float *In) {
  int T = threadIdx.x;
  Results[T] = In[(T & ~7) | Order[T & 7]];
  Results[512 + (T & ~15) + Zigzag[T & 15]] = In[T];
}

__global__ void setUp(Setup S, float *Out) {
  int X = threadIdx.x, Y = blockIdx.x;
  if (X < S.Width)
    Out[Y * S.Width + X] = S.Scale * S.Image[Y * S.Width + X];
}

__global__ void privateTable(const float *In, float *Out) {
  int Strides[4], T = threadIdx.x;
  for (int K = 0; K < 4; ++K)
    Strides[K] = (K + 1) * (K + 1);
  float Sum = 0;
  for (int K = 0; K < 4; ++K)
    Sum += In[T * Strides[K]];
  Out[T + Strides[T & 3]] = Sum;
}

int main() {
  float *A, *B;
  cudaMalloc(&A, 1 << 16);
  cudaMalloc(&B, 1 << 16);
  convolve<<<1, 64>>>(A, B);
  permute<<<1, 64>>>(A);
  Setup S;
  S.Width = 50;
  S.Height = 2;
  S.Scale = 2;
  setUp<<<3, 64>>>(S, B);
  privateTable<<<1, 64>>>(A, B);
}

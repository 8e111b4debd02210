// Loops of more rounds than the evaluator runs one by one: what it leaves out
// has to be worth the same.

__global__ void rowByRow(const float *In, float *Out, int Width, int Height) {
  int X = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum = 0;
  for (int Y = 0; Y < Height; ++Y)
    Sum += In[Y * Width + X];
  Out[X] = Sum;
}

__global__ void columnByColumn(const float *In, float *Out, int Width) {
  int Y = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum = 0;
  for (int X = 0; X < Width; ++X)
    Sum += In[Y * Width + X];
  Out[Y] = Sum;
}

__global__ void nested(const double *In, double *Out, int N) {
  int T = threadIdx.x;
  for (int I = 0; I < N; ++I) {
    for (int J = 0; J < N; ++J)
      Out[I * 64 + T] += In[(J * N + I) * 2 + T];
    Out[I * 64 + T] /= N;
  }
}

__global__ void gridStride(const short *In, int *Out, int Count) {
  for (int I = blockIdx.x * blockDim.x + threadIdx.x; I < Count;
       I += blockDim.x * gridDim.x)
    Out[I] = In[Count - 1 - I];
}

__global__ void sharedRounds(const float *In, float *Out) {
  __shared__ float Row[2][128];
  int T = threadIdx.x;
  Row[0][T] = Row[1][T] = In[T];
  __syncthreads();
  for (int I = 0; I < 400; ++I) {
    Row[~I & 1][T] = Row[I & 1][(T * 2 + I) & 127];
    __syncthreads();
  }
  Out[T] = Row[0][T];
}

__global__ void triangle(const float *In, float *Out, int N) {
  int T = blockIdx.x * blockDim.x + threadIdx.x;
  for (int J = T + 1; J < N; ++J)
    Out[T * N + J] = In[J * N + T];
}

int main() {
  float *A, *B;
  double *C, *D;
  short *E;
  int *F;
  cudaMalloc(&A, 1 << 20);
  cudaMalloc(&B, 1 << 20);
  cudaMalloc(&C, 1 << 20);
  cudaMalloc(&D, 1 << 20);
  cudaMalloc(&E, 1 << 20);
  cudaMalloc(&F, 1 << 20);
  rowByRow<<<2, 64>>>(A, B, 131, 300);
  columnByColumn<<<2, 64>>>(A, B, 517);
  nested<<<1, 64>>>(C, D, 90);
  gridStride<<<2, 64>>>(E, F, 20000);
  sharedRounds<<<1, 128>>>(A, B);
  triangle<<<2, 64>>>(A, B, 400);
}

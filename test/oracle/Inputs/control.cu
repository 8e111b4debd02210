// Control flow: switch, break, continue, while, do, goto, early returns, loops
// in functions that several calls share, short circuits.

__global__ void switches(const int *In, int *Out) {
  int T = threadIdx.x, Value = 0;
  switch (T % 5) {
  case 0:
    Value = In[T];
    break;
  case 1:
    Value = In[2 * T];
  case 2:
    Value += In[3 * T + 1];
    break;
  case 4:
    Out[T + 128] = 1;
    return;
  default:
    Value = -1;
  }
  Out[T] = Value;
}

__global__ void breaks(const int *In, int *Out, int Count) {
  int T = threadIdx.x, Sum = 0;
  for (int I = 0; I < Count; ++I) {
    if (I % 3 == 1)
      continue;
    if (I > T)
      break;
    Sum += In[I * 40 + T];
    if ((I ^ T) == 5)
      continue;
    Sum -= In[T * 40 + I];
  }
  Out[T] = Sum;
}

__global__ void whiles(int *Data, int Count) {
  int Low = threadIdx.x, High = Count - 1 - threadIdx.x;
  while (Low < High) {
    int Kept = Data[Low];
    Data[Low] = Data[High];
    Data[High] = Kept;
    Low += blockDim.x;
    High -= blockDim.x;
  }
  int Steps = 0;
  unsigned N = threadIdx.x + 1;
  do {
    N = N % 2 ? 3 * N + 1 : N / 2;
    Data[256 + Steps * 32 + threadIdx.x] = N;
  } while (++Steps < 6 && N != 1);
}

__device__ int walk(const int *In, int From, int Stride, int Rounds) {
  int Sum = 0;
  for (int I = 0, At = From; I < Rounds; ++I, At += Stride)
    Sum += In[At];
  return Sum;
}

__global__ void calls(const int *In, int *Out) {
  int T = threadIdx.x;
  int Sum = walk(In, T, 32, 4);
  if (T & 1)
    Sum += walk(In, T * 4, 1, 4);
  for (int K = 0; K < 3; ++K)
    Sum += walk(In + K, T * K, 7, K + 1);
  Out[T] = Sum;
}

__global__ void jumps(const float *In, float *Out, int Count) {
  int I = threadIdx.x;
again:
  if (I < Count) {
    if (I > 8 && I % 2 == 0 && (I < 20 || I % 16 == 4))
      Out[I] = In[I * 2];
    I += blockDim.x;
    goto again;
  }
  Out[I] = I < 70 ? In[I] : 0;
}

// Loops whose trip count is another loop's result, per lane.
__global__ void triangular(const float *In, float *Out, int N) {
  int Row = threadIdx.x, Filled = 0;
  for (int C = 0; C <= Row && C < N; ++C)
    if ((C + Row) % 2)
      Filled += 2;
  for (int C = 0; C < Filled; ++C)
    Out[Row * N + C] = In[C * N + Row];
  for (int C = Filled; C > 0; C /= 2)
    Out[C * 32 + Row] += 1;
}

int main() {
  int *A, *B;
  float *C, *D;
  cudaMalloc(&A, 1 << 20);
  cudaMalloc(&B, 1 << 20);
  cudaMalloc(&C, 1 << 20);
  cudaMalloc(&D, 1 << 20);
  switches<<<1, 64>>>(A, B);
  breaks<<<1, 40>>>(A, B, 30);
  whiles<<<1, 32>>>(A, 200);
  calls<<<1, 32>>>(A, B);
  jumps<<<1, 32>>>(C, D, 100);
  triangular<<<1, 32>>>(C, D, 24);
}

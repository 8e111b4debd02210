// Accesses through loaded values: the evaluator must not claim to know them,
// and must know the others.

__global__ void rows(const int *Starts, const int *Columns, const float *Values,
                     const float *X, float *Y, int Count) {
  int Row = blockIdx.x * blockDim.x + threadIdx.x;
  if (Row >= Count)
    return;
  float Sum = 0;
  for (int I = Starts[Row]; I < Starts[Row + 1]; ++I)
    Sum += Values[I] * X[Columns[I]];
  Y[Row] = Sum;
}

__global__ void gather(const int *Indices, const float *In, float *Out) {
  int T = threadIdx.x;
  Out[T] = In[Indices[T]];
  Out[Indices[0] * 2 + T] = In[T * 2];
}

__global__ void guarded(const int *Flags, const float *In, float *Out) {
  int T = threadIdx.x;
  if (Flags[T] > 20)
    Out[T] = In[T * 2];
  if (Flags[0] == 0)
    Out[T + 64] = In[T];
}

__global__ void search(const float *Sorted, const float *Keys, int *Found,
                       int Count) {
  int T = threadIdx.x, Low = 0, High = Count;
  float Key = Keys[T];
  while (Low < High) {
    int Middle = (Low + High) / 2;
    if (Sorted[Middle] < Key)
      Low = Middle + 1;
    else
      High = Middle;
  }
  Found[T] = Low;
}

int main() {
  int *A, *B;
  float *C, *D, *E;
  cudaMalloc(&A, 1 << 16);
  cudaMalloc(&B, 1 << 16);
  cudaMalloc(&C, 1 << 16);
  cudaMalloc(&D, 1 << 16);
  cudaMalloc(&E, 1 << 16);
  rows<<<2, 64>>>(A, B, C, D, E, 100);
  gather<<<1, 64>>>(A, C, D);
  guarded<<<1, 64>>>(A, C, D);
  search<<<1, 64>>>(C, D, A, 500);
}

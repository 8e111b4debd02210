// How far the elements of a vector are apart is 1 as a rule, where the kernel is
// told. What it also counts to, or adds something to, is the length of a row.
//
// RUN: %warpwise check --checks='-*,cuda-memory-uncoalesced-access' \
// RUN:   --profile=nvidia-h200 --quiet %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

__global__ void scale(int N, float By, float *X, int Increment) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    X[I * Increment] *= By;
}

__global__ void sum(const double *X, double *Out, int N, int Increment) {
  const int Own = blockIdx.x * blockDim.x + threadIdx.x;
  double Sum = 0;
  for (int I = Own * Increment; I < N * Increment;
       I += gridDim.x * blockDim.x * Increment)
    Sum += X[I];
  Out[Own] = Sum;
}

// No other order of the lanes brings a diagonal together.
__global__ void diagonal(float *X, int Pitch, int N) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    X[I + I * Pitch] = 1;
}

// The same where both come as members.
struct Vector {
  float *Data;
  int Length, Increment;
};

__global__ void scaleAll(Vector V, float By) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < V.Length)
    V.Data[I * V.Increment] *= By;
}

struct Matrix {
  int Rows, Columns, Pitch;
};

__global__ void setDiagonal(float *X, float To, Matrix Shape) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < Shape.Rows && I < Shape.Columns)
    X[I + I * Shape.Pitch] = To;
}

__global__ void setFirst(float *X, float To, Matrix Shape) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < Shape.Rows && Shape.Columns > 1)
    // CHECK: [[@LINE+1]]:{{[0-9]+}}: warning: global store is uncoalesced: {{.*}}32 sectors
    X[I * Shape.Columns] = To;
}

__global__ void firstOfRows(const float *X, float *Out, int Length) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < Length)
    // CHECK: [[@LINE+1]]:{{[0-9]+}}: warning: global load is uncoalesced: {{.*}}32 sectors
    Out[I] = X[I * Length];
}

__global__ void columns(const float *X, float *Out, int Pitch, int N) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum = 0;
  for (int J = 0; J < N; ++J)
    // CHECK: [[@LINE+1]]:{{[0-9]+}}: warning: global load is uncoalesced: {{.*}}32 sectors
    Sum += X[I * Pitch + J];
  Out[I] = Sum;
}

void launch(const float *In, float *Out, double *D, int N, int M) {
  scale<<<4096, 256>>>(N, 2, Out, M);
  sum<<<1024, 256>>>(D, D + N, N, M);
  diagonal<<<4096, 256>>>(Out, M, N);
  scaleAll<<<4096, 256>>>(Vector{Out, N, M}, 2);
  setDiagonal<<<4096, 256>>>(Out, 1, Matrix{N, N, M});
  setFirst<<<4096, 256>>>(Out, 1, Matrix{N, M, M});
  firstOfRows<<<4096, 256>>>(In, Out, N);
  columns<<<4096, 256>>>(In, Out, N, M);
}

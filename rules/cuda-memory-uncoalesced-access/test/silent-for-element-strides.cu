// A number that says nothing but how far apart the elements of a vector lie is
// one, as a rule: BLAS has it everywhere. That of a matrix is its pitch.
//
// RUN: %warpwise check --checks='-*,cuda-memory-uncoalesced-access' \
// RUN:   --profile=nvidia-h200 --quiet %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

__global__ void scale(int N, float A, const float *X, int IncX, float *Y,
                      int IncY) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    Y[I * IncY] = A * X[I * IncX];
}

__global__ void sum(int N, const float *X, int IncX, float *Sums) {
  __shared__ float Part[256];
  float Sum = 0;
  X += IncX * threadIdx.x;
  for (int K = 0; K < N; K += 256, X += 256 * IncX)
    Sum += *X;
  Part[threadIdx.x] = Sum;
  __syncthreads();
  Sums[blockIdx.x * 256 + threadIdx.x] = Part[255 - threadIdx.x];
}

__global__ void rows(int N, const float *A, int Pitch, float *Y) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum = 0;
  for (int K = 0; K < N; ++K)
    Sum += A[I * Pitch + K];
  // CHECK: [[@LINE-1]]:12: warning: global load is uncoalesced: 32 sectors per request where 'Pitch' is large
  Y[I] = Sum;
}

void launch(int N, float A, const float *X, int IncX, float *Y, int IncY) {
  scale<<<(N + 255) / 256, 256>>>(N, A, X, IncX, Y, IncY);
  sum<<<64, 256>>>(N, X, IncX, Y);
  rows<<<(N + 255) / 256, 256>>>(N, X, IncX, Y);
}

// Loops that the compiler writes out: their rounds are siblings like those that
// stand in the source. A lane that walks on for more than a line is alone, and
// so is one whose loop has rounds that nobody knows.
//
// RUN: %warpwise check --checks='-*,cuda-memory-uncoalesced-access' \
// RUN:   --profile=nvidia-h100-pcie --quiet %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

struct Vector {
  float D[3];
};

__device__ Vector minus(const Vector &A, float B) {
  Vector R;
#pragma unroll
  for (int I = 0; I < 3; ++I)
    R.D[I] = A.D[I] - B;
  return R;
}

__global__ void members(float *Out, const Vector *In) {
  int I = threadIdx.x + blockIdx.x * blockDim.x;
  Vector R = minus(In[I], 1);
  Out[I] = R.D[0] + R.D[1] + R.D[2];
}

__global__ void gridStride(float *Out, const float *In, int N) {
  float Sum = 0;
  for (int I = (blockIdx.x * 256 + threadIdx.x) * 4; I < N;
       I += gridDim.x * 1024)
    for (int K = 0; K < 4; ++K)
      Sum += In[I + K];
  Out[blockIdx.x * 256 + threadIdx.x] = Sum;
}

__global__ void nested(float *Out, const float *In) {
  int I = blockIdx.x * 256 + threadIdx.x;
  float Sum = 0;
  for (int Row = 0; Row < 3; ++Row)
    for (int K = 0; K < 2; ++K)
      Sum += In[Row * 4096 + I * 2 + K];
  Out[I] = Sum;
}

__global__ void halfUsed(float *Out, const float *In) {
  int I = blockIdx.x * 256 + threadIdx.x;
  float Sum = 0;
  for (int K = 0; K < 2; ++K)
    Sum += In[I * 8 + K];
  // CHECK: [[@LINE-1]]:12: warning: global load is uncoalesced: 32 sectors per request (ideal 4); 2 requests together take 32 (ideal 8)
  Out[I] = Sum;
}

__global__ void farWalk(float *Out, const float *In) {
  int I = blockIdx.x * 256 + threadIdx.x;
  float Sum = 0;
  for (int K = 0; K < 64; ++K)
    Sum += In[I * 64 + K];
  // CHECK: [[@LINE-1]]:12: warning: global load is uncoalesced: 32 sectors per request (ideal 4)
  Out[I] = Sum;
}

__global__ void unknownWalk(float *Out, const float *In, int N) {
  int I = blockIdx.x * 256 + threadIdx.x;
  float Sum = 0;
  for (int K = 0; K < N; ++K)
    Sum += In[I * 16 + K];
  // CHECK: [[@LINE-1]]:12: warning: global load is uncoalesced: 32 sectors per request (ideal 4)
  Out[I] = Sum;
}

void launch(float *Out, const float *In, int N) {
  members<<<64, 256>>>(Out, (const Vector *)In);
  gridStride<<<64, 256>>>(Out, In, 1 << 20);
  nested<<<64, 256>>>(Out, In);
  halfUsed<<<64, 256>>>(Out, In);
  farWalk<<<64, 256>>>(Out, In);
  unknownWalk<<<64, 256>>>(Out, In, N);
}

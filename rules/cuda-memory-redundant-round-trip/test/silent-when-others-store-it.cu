// Arrays in which threads load what is not theirs, or more than registers hold.
//
// RUN: %warpwise check --cuda-path=none --min-gain=0 \
// RUN:   --checks='-*,cuda-memory-redundant-round-trip' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:
// CHECK: note: 0 warnings in 6 kernels

constexpr int N = 1 << 24, Each = 64;

__global__ void neighbours(const float *In, float *Between, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Between[I] = 3 * In[I] + 1;
  __syncthreads();
  Out[I] = Between[I] * Between[I ^ 1];
}

__global__ void inPlace(float *Values) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Values[I] = 3 * Values[I] + 1;
}

__global__ void overwritten(const float *In, float *Between, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Between[I] = 3 * In[I] + 1;
  __syncthreads();
  Between[I ^ 32] = In[I];
  __syncthreads();
  Out[I] = Between[I];
}

__global__ void placedByData(const int *At, float *Between, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Between[At[I]] = I;
  __syncthreads();
  Out[I] = Between[At[I]];
}

__global__ void counted(const float *In, float *Between, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Between[I] = In[I];
  __syncthreads();
  atomicAdd(&Between[I], 1.0f);
  Out[I] = Between[I];
}

__global__ void many(const float *In, float *Between, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const int All = gridDim.x * blockDim.x;
  float Sum = 0;
  for (int J = 0; J < Each; ++J)
    Sum += Between[J * All + I] = In[J * All + I];
  __syncthreads();
  for (int J = 0; J < Each; ++J)
    Out[J * All + I] = Between[J * All + I] - Sum;
}

void launch(const float *In, const int *At, float *Between, float *Out) {
  neighbours<<<N / 256, 256>>>(In, Between, Out);
  inPlace<<<N / 256, 256>>>(Between);
  overwritten<<<N / 256, 256>>>(In, Between, Out);
  placedByData<<<N / 256, 256>>>(At, Between, Out);
  counted<<<N / 256, 256>>>(In, Between, Out);
  many<<<N / 256 / Each, 256>>>(In, Between, Out);
}

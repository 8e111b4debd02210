// Lanes that data or an argument keeps from work, the last step of a reduction,
// one lane that writes what all have a part in, a grid that is too large for one
// of two problems, and lanes and warps of which each has its own work.
//
// RUN: %warpwise check --checks='-*,cuda-memory-idle-lanes' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:
// CHECK: note: 0 warnings in 7 kernels, 20 of 20 accesses judged

__global__ void byData(const int *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (In[I] > 0)
    Out[I] = In[I];
}

__global__ void byArgument(const int *In, float *Out, int N) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    Out[I] = In[I];
}

__global__ void sums(const float *In, float *Out) {
  __shared__ float Part[256];
  Part[threadIdx.x] = In[blockIdx.x * 256 + threadIdx.x];
  for (int Half = 128; Half > 0; Half /= 2) {
    __syncthreads();
    if (threadIdx.x < Half)
      Part[threadIdx.x] += Part[threadIdx.x + Half];
  }
  if (threadIdx.x == 0)
    Out[blockIdx.x] = Part[0];
}

__global__ void byWarp(const float *In, float *Out) {
  float Sum = In[blockIdx.x * 256 + threadIdx.x];
  for (int Step = 16; Step > 0; Step /= 2)
    Sum += __shfl_down_sync(~0u, Sum, Step);
  if (threadIdx.x % 32 == 0)
    Out[blockIdx.x * 8 + threadIdx.x / 32] = Sum;
}

__global__ void fills(float *Out, int N) {
  for (int I = blockIdx.x * 256 + threadIdx.x; I < N; I += gridDim.x * 256)
    Out[I] = I;
}

__global__ void byTurns(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I % 2 == 0)
    Out[I] = 2;
  else
    Out[I] = 3 * Out[I] + 1;
}

__global__ void byWarps(float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x < 128)
    Out[I] = 2;
  else
    Out[I + 256] = Out[I];
}

void launch(const int *In, float *Out, int N) {
  byData<<<1024, 256>>>(In, Out);
  byArgument<<<1024, 256>>>(In, Out, N);
  sums<<<1024, 256>>>(Out, Out);
  byWarp<<<1024, 256>>>(Out, Out);
  fills<<<512, 256>>>(Out, 1 << 20);
  fills<<<512, 256>>>(Out, 64);
  byTurns<<<1024, 256>>>(Out, Out);
  byWarps<<<1024, 256>>>(Out);
}

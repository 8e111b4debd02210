// Lanes as far apart as an argument says that nobody knows: a finding says of
// which. A launch that is seen to give it leaves nothing to say.
//
// RUN: %warpwise check --checks='-*,cuda-memory-uncoalesced-access' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

__global__ void planes(const float *__restrict__ In, int Channels, int Inside,
                       int Count, float *__restrict__ Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Count)
    return;
  float Sum = 0;
  for (int C = 0; C < Channels; ++C)
    for (int K = 0; K < Inside; ++K)
      // CHECK: [[@LINE+1]]:14: warning: global load is uncoalesced: 32 sectors per request where 'Inside' and 'Channels' are large (ideal 4)
      Sum += In[(I * Channels + C) * Inside + K];
  Out[I] = Sum;
}

__global__ void columns(const float *__restrict__ In, int Width, int Count,
                        float *__restrict__ Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum = 0;
  for (int K = 0; K < Width; ++K)
    // CHECK: [[@LINE+1]]:12: warning: global load is uncoalesced: 32 sectors per request (ideal 4)
    Sum += In[I * Width + K];
  Out[I] = Sum;
}

__constant__ int Features;

__global__ void quarters(const float *__restrict__ In, float *__restrict__ Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum = 0;
  for (int K = 0; K < Features / 4; ++K)
    // CHECK: [[@LINE+1]]:12: warning: global load is uncoalesced: 32 sectors per request where 'Features' is large (ideal 4)
    Sum += In[I * Features / 4 + K];
  Out[I] = Sum;
}

void launch(const float *In, int Channels, int Inside, int Count, float *Out) {
  planes<<<(Count + 255) / 256, 256>>>(In, Channels, Inside, Count, Out);
  quarters<<<(1 << 20) / 256, 256>>>(In, Out);
  columns<<<(1 << 20) / 256, 256>>>(In, 64, 1 << 20, Out);
}

// CHECK: note: 3 warnings in 3 kernels

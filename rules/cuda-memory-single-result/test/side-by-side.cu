// A filter along the lanes: each loads its window, of which the next lane loads
// all but one element again. Four results in a row take vectors.
//
// RUN: %checkpriced --explain --checks='-*,cuda-memory-single-result' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

constexpr int N = 1 << 23, Taps = 24;

__global__ void one(const float *__restrict__ In,
                    const float *__restrict__ Weight, float *__restrict__ Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum = 0;
#pragma unroll
  for (int T = 0; T < Taps; ++T)
// CHECK: [[@LINE+2]]:{{[0-9]+}}: warning: a thread makes 24 loads from global memory for one result, and the next lane makes most of them again, as here of 'In'; about 2.{{.*}}x faster {{.*}} when repaired [cuda-memory-single-result]
// CHECK: note: give each thread 4 results in a row, load 4 elements at a time as a vector (where rows begin at multiples of its size), and keep in registers what the next result needs, too; 1.87 loads for each are left
    Sum += Weight[T] * In[I + T];
  Out[I] = Sum;
}

__global__ void four(const float4 *__restrict__ In,
                     const float *__restrict__ Weight,
                     float4 *__restrict__ Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Sample[Taps + 4], Sum[4] = {};
#pragma unroll
  for (int V = 0; V < Taps / 4 + 1; ++V) {
    const float4 Four = In[I + V];
    Sample[4 * V] = Four.x;
    Sample[4 * V + 1] = Four.y;
    Sample[4 * V + 2] = Four.z;
    Sample[4 * V + 3] = Four.w;
  }
#pragma unroll
  for (int T = 0; T < Taps; ++T)
#pragma unroll
    for (int R = 0; R < 4; ++R)
      Sum[R] += Weight[T] * Sample[T + R];
  Out[I] = make_float4(Sum[0], Sum[1], Sum[2], Sum[3]);
}

// Elements that no other lane loads, and such as data select.
__global__ void apart(const float *In, const int *Index, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum = 0;
#pragma unroll
  for (int T = 0; T < 8; ++T)
    Sum += In[T * N + I];
  Out[I] = Sum;
}

__global__ void selected(const float *In, const int *Index, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum = In[Index[I]];
#pragma unroll
  for (int T = 0; T < 8; ++T)
    Sum += In[I + T];
  Out[I] = Sum;
}

void launch(const float *In, const int *Index, float *Out) {
  one<<<N / 256, 256>>>(In, In + N, Out);
  four<<<N / 1024, 256>>>((const float4 *)In, In + N, (float4 *)Out);
  apart<<<N / 256, 256>>>(In, Index, Out);
  selected<<<N / 256, 256>>>(In, Index, Out);
}
// CHECK: note: 1 warning in 4 kernels

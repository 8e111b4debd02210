// Two loads of one table: what one of them is the first to ask for the other
// finds there.
//
// RUN: %checkpriced --checks='-*,cuda-memory-constant-candidate' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 | FileCheck %s

constexpr int Elements = 1 << 18, Points = 8, Nodes = 8;

__global__ void volumes(const float *__restrict__ In,
                        const float *__restrict__ Shape,
                        float *__restrict__ Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float X[Nodes], Y[Nodes], Z[Nodes], Volume = 0;
#pragma unroll
  for (int N = 0; N < Nodes; ++N) {
    X[N] = In[3 * N * Elements + I];
    Y[N] = In[(3 * N + 1) * Elements + I];
    Z[N] = In[(3 * N + 2) * Elements + I];
  }
#pragma unroll 2
  for (int Q = 0; Q < Points; ++Q) {
    float Sums[9] = {}, At = 0;
#pragma unroll
    for (int N = 0; N < Nodes; ++N) {
#pragma unroll
      for (int D = 0; D < 3; ++D) {
        // CHECK: [[@LINE+1]]{{.*}}: warning: all lanes of all blocks read the same words of 'Shape'
        const float Slope = Shape[32 * Q + 4 * N + D];
        Sums[D] += Slope * X[N];
        Sums[3 + D] += Slope * Y[N];
        Sums[6 + D] += Slope * Z[N];
      }
      At += Shape[32 * Q + 4 * N + 3] * Z[N];
    }
    Volume += (Sums[0] * Sums[4] * Sums[8] - Sums[1] * Sums[5] * Sums[6] +
               Sums[2] * Sums[3] * Sums[7]) *
              At;
  }
  Out[I] = Volume;
}

void launch(const float *In, const float *Shape, float *Out) {
  volumes<<<Elements / 128, 128>>>(In, Shape, Out);
}
// CHECK: note: 1 warning in 1 kernel

// How much a thread loads hangs on rounds that nobody knows: no number is said.
//
// RUN: %checkpriced --checks='-*,cuda-memory-single-result' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

__global__ void potential(float *Out, const float *X, const float *Weights,
                          const float *Others, int N, int M) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= N)
    return;
  float Sum = 0;
  for (int J = 0; J < M; ++J)
    // CHECK: [[@LINE+2]]:{{[0-9]+}}: warning: a thread loads from global memory in a loop for one result, and the next one along x loads most of the same again, as here of 'Weights'; if the grid fills the GPU about
    // CHECK: note: give each thread 4 results or more a block's width apart, and keep in registers what the next one needs, too{{$}}
    Sum += Weights[J] * Others[J];
  Out[I] = Sum * X[I];
}

void launch(float *Out, const float *X, const float *Weights,
            const float *Others, int N, int M) {
  potential<<<(N + 255) / 256, 256>>>(Out, X, Weights, Others, N, M);
}

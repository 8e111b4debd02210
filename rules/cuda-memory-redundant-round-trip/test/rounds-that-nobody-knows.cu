// How many stores there are hangs on rounds that nobody knows: no number is
// said.
//
// RUN: %checkpriced --checks='-*,cuda-memory-redundant-round-trip' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

__global__ void added(float *Out, const float *In, int N, int M) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= N)
    return;
  for (int J = 0; J < M; ++J)
    // CHECK: [[@LINE+1]]:{{[0-9]+}}: warning: 'Out' is stored in each round of a loop: as many stores to the same addresses where one would do; if the grid fills the GPU about
    Out[I] += In[J * N + I];
}

void launch(float *Out, const float *In, int N, int M) {
  added<<<(N + 255) / 256, 256>>>(Out, In, N, M);
}

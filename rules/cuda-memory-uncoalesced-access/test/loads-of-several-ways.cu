// Loads that each way of a branch makes are one load where the ways meet, which
// has no line of its own: it is shown where one of them is written, not where
// nvcc's line table has it.
//
// RUN: %checkpriced %s | FileCheck %s --implicit-check-not=warning:

__global__ void join(float *Out, const float *In, const float *Places, int Size,
                     int Others, bool Dense) {
  const int N = blockIdx.x, At = blockIdx.y, C = threadIdx.x;
  float Its;
  if (C >= Size) {
    if (Dense)
      Its = Places[(N * 64 + At) * Others + C - Size];
    else
      Its = Places[64 * At + C - Size];
  } else {
    // CHECK: loads-of-several-ways.cu:[[#@LINE+1]]:11: warning: global load is uncoalesced
    Its = In[(N * Size + C) * 64 + At];
  }
  const int All = Size + Others;
  Out[(N * 64 + At) * All + C] = Its;
}

void launch(float *Out, const float *In, const float *Places, int N, bool Dense) {
  join<<<dim3(N, 64), 176>>>(Out, In, Places, 112, 64, Dense);
}

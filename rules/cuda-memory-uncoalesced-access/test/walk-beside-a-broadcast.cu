// All lanes read one row together, and each walks along a row of its own,
// through the same pointer. In some warps the guard leaves one lane only:
// that the two are at a constant distance there makes no siblings of them.
//
// RUN: %warpwise check --checks='-*,cuda-memory-uncoalesced-access' \
// RUN:   --profile=nvidia-h100-pcie --quiet %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

__global__ void scores(float *Out, const float *In, int T, int C, int H) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  int U = I % T, V = (I / T) % T, G = (I / (T * T)) % H;
  if (U > V)
    return;
  const float *Row = In + V * 2 * C + G * (C / H);
  const float *Mine = In + U * 2 * C + G * (C / H) + C;
  float Sum = 0;
  for (int K = 0; K < C / H; K++)
    Sum += Row[K] * Mine[K];
  // CHECK: [[@LINE-1]]:21: warning: global load is uncoalesced: {{.*}}3{{[0-9.]+}} sectors per request
  Out[I] = Sum;
}

void launch(float *Out, const float *In) {
  int T = 1024, H = 12;
  scores<<<H * T * T / 256, 256>>>(Out, In, T, 768, H);
}

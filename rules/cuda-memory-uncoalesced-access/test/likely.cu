// What hangs on values that nobody knows: the number for usual ones, said to be
// likely, and what else is possible.
//
// RUN: %warpwise check --checks='-*,cuda-memory-uncoalesced-access' \
// RUN:   --profile=nvidia-h100 --quiet %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

__global__ void culled(float *Out, const float *Depth, const float *In, int N) {
  int T = blockIdx.x * blockDim.x + threadIdx.x;
  if (T >= N)
    return;
  if (Depth[T] < 0.2f)
    return;
  Out[T] = In[T * 48];
  // CHECK: [[@LINE-1]]:12: warning: global load is uncoalesced: likely 32 sectors per request (ideal 4)
  // CHECK: note: an estimate, not exact: which lanes take part depends on values loaded from memory; from 1 to 32 are possible
}
__global__ void column(float *Out, const float *In, int Stride) {
  int T = blockIdx.x * blockDim.x + threadIdx.x;
  Out[T] = In[T * Stride];
  // CHECK: [[@LINE-1]]:12: warning: global load is uncoalesced: likely 32 sectors per request (ideal 4)
  // CHECK: note: an estimate, not exact: depends on a pitch or stride that is not known here; from 1 to 32 are possible
}
void launch(float *Out, const float *Depth, const float *In, int N) {
  culled<<<(N + 255) / 256, 256>>>(Out, Depth, In, N);
  column<<<64, 256>>>(Out, In, N);
}

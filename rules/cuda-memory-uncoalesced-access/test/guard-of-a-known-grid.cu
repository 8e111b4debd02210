// Nobody starts a grid of 65,536 blocks for the few elements that a made-up
// number leaves to it.
//
// RUN: %checkpriced --checks='-*,cuda-memory-uncoalesced-access' --quiet %s -- -nocudainc 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

__global__ void columns(float *Out, const float *In, int Count) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < Count)
    Out[I] = In[I * 32];
  // CHECK: [[@LINE-1]]:14: warning: global load is uncoalesced: likely 32 sectors per request (ideal 4), {{.*}}; if most of its threads have something to do about {{[2-9]\.[0-9]+}}x faster
}

void launch(float *Out, const float *In, int Count) {
  columns<<<65536, 256>>>(Out, In, Count);
}

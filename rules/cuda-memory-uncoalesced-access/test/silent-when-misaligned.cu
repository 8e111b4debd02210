// One sector more at the end of a warp, which the next warp needs anyway.
//
// RUN: %warpwise check --checks='-*,cuda-memory-uncoalesced-access' \
// RUN:   --profile=nvidia-h100 --quiet %s -- 2>&1 \
// RUN:   | FileCheck %s --allow-empty --implicit-check-not=warning:

__global__ void shift(float *Out, const float *In) {
  Out[threadIdx.x] = In[threadIdx.x + 1];
}

void launch(float *Out, const float *In) { shift<<<1, 256>>>(Out, In); }

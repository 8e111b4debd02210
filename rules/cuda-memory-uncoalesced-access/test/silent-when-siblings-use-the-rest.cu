// Interleaved complex numbers: the second load takes what the first one left.
//
// RUN: %warpwise check --checks='-*,cuda-memory-uncoalesced-access' \
// RUN:   --profile=nvidia-h100 --quiet %s -- 2>&1 \
// RUN:   | FileCheck %s --allow-empty --implicit-check-not=warning:

__global__ void magnitude(float *Out, const float *In) {
  int I = threadIdx.x;
  float Real = In[2 * I];
  float Imaginary = In[2 * I + 1];
  Out[I] = Real * Real + Imaginary * Imaginary;
}

void launch(float *Out, const float *In) { magnitude<<<1, 256>>>(Out, In); }

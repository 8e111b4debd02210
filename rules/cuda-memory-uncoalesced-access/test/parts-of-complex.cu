// The real parts of complex numbers, which libraries take as pairs; those of a
// pair that is nothing else may have an array of their own.
//
// RUN: %warpwise check --checks='-*,cuda-memory-uncoalesced-access' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

typedef float2 cuFloatComplex;

__global__ void realParts(const cuFloatComplex *In, float *Out) {
  const int I = blockIdx.x * 256 + threadIdx.x;
  Out[I] = In[I].x;
}

__global__ void firsts(const float2 *In, float *Out) {
  const int I = blockIdx.x * 256 + threadIdx.x;
  // CHECK: [[@LINE+1]]:{{[0-9]+}}: warning: global load is uncoalesced: at least 8 sectors per request (ideal 4)
  Out[I] = In[I].x;
}

void launch(const float2 *In, float *Out) {
  realParts<<<1 << 16, 256>>>(In, Out);
  firsts<<<1 << 16, 256>>>(In, Out);
}
// CHECK: note: 1 warning in 2 kernels

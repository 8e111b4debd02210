// An index that neighbouring lanes load from one address is the same for them:
// random ones make as many sectors as there are groups.
//
// RUN: %warpwise accesses --cuda-path=none --profile=nvidia-h200 %s -- | FileCheck %s

__global__ void rows(float *Out, const float *In, const int *Index) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK: "line": [[#@LINE+12]],
  // CHECK: "object": "In"
  // CHECK: "proof": "data-dependent",
  // CHECK: "sectors": 8,
  // CHECK: "low": 1,
  // CHECK-NEXT: "high": 32
  // CHECK: "line": [[#@LINE+7]],
  // CHECK: "object": "In"
  // CHECK: "sectors": 16,
  // CHECK: "line": [[#@LINE+5]],
  // CHECK: "object": "In"
  // CHECK: "sectors": 32,
  Out[I] = In[Index[I / 4] * 4 + I % 4];
  Out[I + 1048576] = In[Index[I / 2] * 7];
  Out[I + 2097152] = In[Index[I / 4] + Index[I]];
}

void launch(float *Out, const float *In, const int *Index) {
  rows<<<4096, 256>>>(Out, In, Index);
}

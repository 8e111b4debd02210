// Errors outside of kernels cost a note, not the analysis.
//
// RUN: %warpwise check --gpu=nvidia-h100-pcie %s -- >%t.out 2>%t.err
// RUN: FileCheck %s <%t.out --implicit-check-not=warning:
// RUN: FileCheck %s --check-prefix=ERR <%t.err --implicit-check-not="{{^}}error:"
// RUN: %warpwise check --gpu=nvidia-h100-pcie --quiet %s -- 2>&1 >%t.out | count 0

#include "there-is-no-such-header.h"
// ERR: note: {{.*}}host-errors.cu: header 'there-is-no-such-header.h' was not found

void host() { notDeclared(); }
// ERR: note: {{.*}}host-errors.cu: {{.*}} outside of kernels did not stop the analysis;

__global__ void rows(float *Out, const float *In) {
  Out[threadIdx.x] = In[threadIdx.x * 1024];
  // CHECK: host-errors.cu:[[@LINE-1]]:{{.*}} warning:
}

void launch(float *Out, const float *In) { rows<<<1, 256>>>(Out, In); }

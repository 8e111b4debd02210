// Warnings alone are no failure, as with clang-tidy; --fail-on makes them one.
//
// RUN: %warpwise check --gpu=nvidia-h100-pcie %s -- | FileCheck %s
// RUN: %warpwise check --gpu=nvidia-h100-pcie --fail-on=none %s -- | FileCheck %s
// RUN: not %warpwise check --gpu=nvidia-h100-pcie --fail-on=warning %s -- \
// RUN:   | FileCheck %s
// RUN: sh %S/Inputs/status.sh 1 %warpwise check --gpu=nvidia-h100-pcie \
// RUN:   --fail-on='cost>5' %s --
//
// What cannot be looked at is another matter than what is found.
// RUN: sh %S/Inputs/status.sh 2 %warpwise check --gpu=nvidia-h100-pcie %s.none --
// RUN: sh %S/Inputs/status.sh 2 %warpwise check --gpu=voodoo2 %s --
// RUN: sh %S/Inputs/status.sh 2 %warpwise check --qiet %s --
// RUN: sh %S/Inputs/status.sh 2 %warpwise explain no-such-rule
//
// RUN: %warpwise check --gpu=nvidia-h100-pcie --fail-on='cost>100000' %s --
// RUN: %warpwise check --gpu=nvidia-h100-pcie --fail-on=warning \
// RUN:   --checks=-cuda-memory-uncoalesced-access %s -- | count 0

__global__ void rows(float *Out, const float *In) {
  Out[threadIdx.x] = In[threadIdx.x * 1024];
  // CHECK: exit-status.cu:[[@LINE-1]]:{{[0-9]+}}: warning: {{.*}} [cuda-memory-uncoalesced-access]
}

void launch(float *Out, const float *In) { rows<<<1, 256>>>(Out, In); }

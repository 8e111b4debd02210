// The user knows: NOLINT with the rule's name.
//
// RUN: %warpwise check --checks='-*,cuda-memory-bank-conflict' \
// RUN:   --profile=nvidia-h100-pcie %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:
// CHECK: note: 0 warnings in 1 kernel, 3 of 3 accesses judged (1 suppressed by NOLINT)

__global__ void known(float *Out) {
  __shared__ float Row[1024];
  Row[threadIdx.x * 32] = 1; // NOLINT(cuda-memory-bank-conflict)
  __syncthreads();
  Out[threadIdx.x] = Row[threadIdx.x];
}

void launch(float *Out) { known<<<1, 32>>>(Out); }

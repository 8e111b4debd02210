// Colours where they are asked for, and in a pipe only then.
//
// RUN: %warpwise check --gpu=nvidia-h100-pcie --color=always %s -- 2>/dev/null \
// RUN:   | FileCheck %s --check-prefix=ON
// RUN: %warpwise check --gpu=nvidia-h100-pcie %s -- 2>&1 \
// RUN:   | FileCheck %s --check-prefix=OFF
// ON: {{.\[1;35m}}warning: 
// OFF-NOT: {{.\[[0-9;]+m}}
// OFF: warning:

__global__ void rows(float *Out, const float *In) {
  Out[threadIdx.x] = In[threadIdx.x * 1024];
}

void launch(float *Out, const float *In) { rows<<<1, 256>>>(Out, In); }

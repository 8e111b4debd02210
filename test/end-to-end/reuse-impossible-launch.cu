// A launch that no GPU can run is not modelled.
//
// RUN: not %warpwise reuse --quiet --cuda-path=none --gpu=nvidia-h200 %s 2>&1 \
// RUN:   | FileCheck %s

__global__ void copy(float *Out, const float *In) {
  Out[threadIdx.x] = In[threadIdx.x];
}

void launch(float *Out, const float *In) { copy<<<1, 32, ~0ul>>>(Out, In); }
// CHECK: error: kernel 'copy{{.*}}': the launch at {{.*}}reuse-impossible-launch.cu:[[@LINE-1]] asks for 18446744073709551615 bytes of shared memory, which no GPU has

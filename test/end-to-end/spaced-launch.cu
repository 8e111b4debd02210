// nvcc takes launch brackets with blanks in them. Columns outside of the
// brackets stay what they are.
//
// RUN: %warpwise check --gpu=nvidia-h100-pcie --cuda-path=none %s -- >%t.out 2>%t.err
// RUN: FileCheck %s <%t.out
// RUN: FileCheck %s --check-prefix=SUMMARY <%t.err

template <int N> __global__ void scale(float *Out, const float *In) {
  Out[threadIdx.x] = In[threadIdx.x * N];
  // CHECK: spaced-launch.cu:[[@LINE-1]]:22: warning: global load is uncoalesced: 32 sectors
  // CHECK: spaced-launch.cu:[[@LINE+4]]: note: block is 256, from this launch
}

void launch(float *Out, const float *In, int N) {
  scale<64> << <(N + 255) / 256, 256> >>(Out, In);
}

// SUMMARY: note: 1 warning in 1 kernel

// A block of 16 threads a row splits each warp over two rows of the image.
//
// RUN: %warpwise check --checks='-*,cuda-memory-uncoalesced-access' \
// RUN:   --profile=nvidia-h100-pcie --quiet %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

__global__ void copy(unsigned char *Out, const unsigned char *In) {
  int At = threadIdx.y * 4096 + threadIdx.x;
  Out[threadIdx.y * blockDim.x + threadIdx.x] = In[At];
  // CHECK: narrow-block.cu:[[@LINE-1]]:49: warning: global load is uncoalesced: at least 4 sectors per request (ideal 1)
  // CHECK: note: in the costliest request of 'In', rows of 8 lanes, side by side in a row, 4096 bytes from row to row
  // CHECK: note: under block 8x32 ({{.*}}); clean under 32x8 ({{.*}})
  // CHECK: note: make the block 32 threads wide
}

void launch(unsigned char *Out, const unsigned char *In) {
  copy<<<1, dim3(8, 32)>>>(Out, In);
  copy<<<1, dim3(32, 8)>>>(Out, In);
}

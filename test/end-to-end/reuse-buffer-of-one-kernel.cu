// A buffer that the user names is for the kernels that have it; the others of the
// file need not know how large it is.
// RUN: %warpwise reuse --quiet --cuda-path=none --gpu=nvidia-h200 %s \
// RUN:   --buffer Index=iota | FileCheck %s
// One that no kernel has is still a typing error.
// RUN: not %warpwise reuse --quiet --cuda-path=none --gpu=nvidia-h200 %s \
// RUN:   --buffer Idx=iota 2>&1 | FileCheck --check-prefix=TYPO %s
// TYPO: error: --buffer Idx: no kernel that is chosen has a pointer argument or variable of this name; there is From, Index, To

// CHECK: gather(float*
// CHECK: L1 loads {{.*}} 2{{[^0-9]+}}048 
__global__ void gather(float *To, const float *From, const int *Index) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  To[I] = From[Index[I]];
}

// CHECK: copy(float*
// CHECK-NOT: not modelled
// CHECK: L1 loads {{.*}} 1{{[^0-9]+}}024 
__global__ void copy(float *To, const float *From) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  To[I] = From[I];
}

int main() {
  float *To, *From;
  int *Index;
  cudaMalloc(&To, 32768);
  cudaMalloc(&From, 32768);
  cudaMalloc(&Index, 32768);
  gather<<<32, 256>>>(To, From, Index);
  copy<<<32, 256>>>(To, From);
}

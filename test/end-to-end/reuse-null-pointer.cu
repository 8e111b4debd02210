// A null pointer is no buffer: what a kernel does with the array only if there is
// one, it does not do.
// RUN: %warpwise reuse --quiet --cuda-path=none --gpu=nvidia-h200 %s | FileCheck %s
// What the user says goes first.
// RUN: %warpwise reuse --quiet --cuda-path=none --gpu=nvidia-h200 %s \
// RUN:   --buffer Order=iota,count=256 | FileCheck --check-prefix=GIVEN %s

__global__ void gather(float *Out, const float *In, const int *Order) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = In[Order ? Order[I] : I];
}

// CHECK: L1 loads 0.00 % 32 1.0 KiB
// CHECK: L1 stores 0.00 % 32 1.0 KiB
// GIVEN: L1 loads 0.00 % 64 2.0 KiB
int main() {
  float *Out, *In;
  cudaMalloc(&Out, 1024);
  cudaMalloc(&In, 1024);
  gather<<<1, 256>>>(Out, In, nullptr);
}

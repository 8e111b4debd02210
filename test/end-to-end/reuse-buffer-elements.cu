// Numbers that --buffer makes are of the type that the kernel reads, so that iota
// is the identity whatever the width: each warp stores a line of its own.
// RUN: %warpwise reuse --quiet --cuda-path=none --gpu=nvidia-h200 %s \
// RUN:   --buffer Order=iota | FileCheck %s
// A narrower element makes other numbers of the same bytes.
// RUN: not %warpwise reuse --quiet --cuda-path=none --gpu=nvidia-h200 %s \
// RUN:   --buffer Order=iota,element=3 2>&1 | FileCheck --check-prefix=WIDTH %s
// WIDTH: error: '--buffer=Order=iota,element=3': expected

template <typename T>
__global__ void scatter(float *Out, const T *Order) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[(unsigned long)Order[I]] = 1;
}

// CHECK-COUNT-3: L1 stores 0.00 % 128 4.0 KiB
int main() {
  float *Out;
  long *Wide;
  short *Narrow;
  double *Real;
  cudaMalloc(&Out, 4096);
  cudaMalloc(&Wide, 8192);
  cudaMalloc(&Narrow, 2048);
  cudaMalloc(&Real, 8192);
  scatter<<<4, 256>>>(Out, Wide);
  scatter<<<4, 256>>>(Out, Narrow);
  scatter<<<4, 256>>>(Out, Real);
}

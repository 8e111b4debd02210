// One lane reads eight neighbouring words of its own row, one by one: the sector
// of the first load serves the other seven.
// RUN: %warpwise reuse --quiet --cuda-path=none --gpu=nvidia-h200 %s | FileCheck %s
// With an L1 that is too small for the rows of the block's warps next to nothing
// is left of it when the walk comes back.
// RUN: %warpwise reuse --quiet --cuda-path=none --gpu=nvidia-h200 \
// RUN:   --explore l1.capacity=4096,246784 %s | FileCheck --check-prefix=EXPLORE %s

__global__ void walk(float *Out, const float *In) {
  float Sum = 0;
  for (int I = 0; I < 8; ++I)
    Sum += In[threadIdx.x * 8 + I];
  Out[threadIdx.x] = Sum;
}

// CHECK-LABEL: walk(float*, float const*)
// CHECK: L1 loads 87.50 % 8 192
// EXPLORE: l1.capacity
// EXPLORE-NEXT: 4096 {{[0-2]?[0-9]\.[0-9]+}} %
// EXPLORE-NEXT: 246784 87.50 %

int main() {
  float *In, *Out;
  cudaMalloc(&In, 32768);
  cudaMalloc(&Out, 4096);
  walk<<<1, 1024>>>(Out, In);
}

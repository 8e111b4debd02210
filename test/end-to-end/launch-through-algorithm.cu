// Bodies of the standard library's host code are not read; what is constexpr is,
// and the launches behind it are found.
// RUN: %warpwise accesses --gpu=nvidia-h200 %s -- -std=c++20 | FileCheck %s
#include <algorithm>

__global__ void fill(float *Out) { Out[blockIdx.x * blockDim.x + threadIdx.x] = 1; }

void launch(float *Out) {
  int Sizes[] = {64, 96};
  std::for_each(Sizes, Sizes + 2, [&](int Size) { fill<<<4, Size>>>(Out); });
}
// CHECK: "name": "fill(float*)"
// CHECK: 64,
// CHECK: "source": "launch"
// CHECK: 96,
// CHECK: "source": "launch"

// A host variable whose type an error leaves open is handed to a kernel.
//
// RUN: %warpwise accesses %s 2>&1 | FileCheck %s

template <typename T> __global__ void fill(T *Out) { Out[threadIdx.x] = 1; }

int main() {
  float *Memory;
  cudaMalloc(&Memory, 128);
  auto Lost = nothingOfThatName(Memory);
  fill<float><<<1, 32>>>(Lost);
}

// CHECK: 1 error outside of kernels did not stop the analysis
// CHECK: "schema": "warpwise-accesses/1"

// A function that is called by a declaration of another scope than that of its
// body: what nobody refers to is left out, but this is one function.
//
// RUN: %warpwise accesses --cuda-path=none %s 2>/dev/null | FileCheck %s

extern "C" {
__device__ inline int column(int Lane) { return 2 * Lane; }
}

namespace elsewhere {
extern "C" __device__ int column(int Lane);
}

// CHECK: "op": "load",
// CHECK: "proof": "bounded",
// CHECK: "sectors": 8,
__global__ void read(const int *In, int *Out) {
  Out[threadIdx.x] = In[elsewhere::column(int(threadIdx.x))];
}

void launch(const int *In, int *Out) { read<<<1, 32>>>(In, Out); }

// "Stride - 1" is a mask where it is used as one: the stride is a power of two, and
// where it is no smaller than a warp, lanes lie side by side. That it may be any
// number stays possible.
//
// RUN: %warpwise accesses --gpu=nvidia-h200 %s -- -nocudainc 2>/dev/null | FileCheck %s
// CHECK: "object": "Keys"
// CHECK: "proof": "estimated",
// CHECK: "sectors": 4,
// CHECK: "high": 4,

__global__ void compare(const unsigned *Keys, unsigned *Out, unsigned Stride) {
  const unsigned I = blockIdx.x * 256 + threadIdx.x;
  const unsigned At = 2 * I - (I & (Stride - 1));
  Out[I] = Keys[At];
}

void run(const unsigned *Keys, unsigned *Out, unsigned Stride) {
  compare<<<4096, 256>>>(Keys, Out, Stride);
}

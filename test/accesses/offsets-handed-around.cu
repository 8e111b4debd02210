// Where a row starts that one lane has from memory, and hands to the others, is
// as unknown as what all of them load: aligned or not, there is no likely number.
//
// RUN: %warpwise accesses --profile=nvidia-h200 %s -- | FileCheck %s

__global__ void compact(int *Out, int *Count, const int *Places) {
  const int Lane = threadIdx.x % 32;
  int At = 0;
  if (Lane == 0)
    At = atomicAdd(Count, 20);
  At = __shfl_sync(~0u, At, 0);
  // CHECK: "line": [[#@LINE+7]],
  // CHECK: "proof": "bounded",
  // CHECK-NEXT: "reason": "depends on an offset that is loaded from memory",
  // CHECK: "sectors": null,
  // CHECK-NEXT: "ideal_sectors": 4,
  // CHECK: "low": 4,
  // CHECK-NEXT: "high": {{4.98.*|5}}
  Out[At + Lane] = 1;
  // CHECK: "line": [[#@LINE+4]],
  // CHECK: "line": [[#@LINE+3]],
  // CHECK: "proof": "bounded",
  // CHECK: "sectors": null,
  Out[__shfl_sync(~0u, Places[Lane * 2], 3) + Lane] = 2;
}

int main() {
  int *P, *Q;
  cudaMalloc(&P, 1 << 20);
  cudaMalloc(&Q, 1 << 20);
  compact<<<64, 256>>>(P, Q, Q);
}

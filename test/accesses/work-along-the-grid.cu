// Where the steps are enough for few blocks, and blocks do less the further they lie along
// the grid, the one in the middle does not stand for all: lanes meet in the first half of
// the grid alone.
//
// RUN: %warpwise accesses %s | FileCheck %s

// CHECK: "name": "windows(
__global__ void windows(float2 *Y, const float2 *X) {
  const int Block = blockIdx.x, Lane = threadIdx.x;
  for (int Tile = 5888 * Block; Tile <= 5856 * Block + 6016; Tile += 32) {
    // Each lane has a window of 368 elements, 184 after the one before it; the windows of
    // each block are 32 shorter than those of the block before.
    const int First = max(0, 5888 * Block + 184 * Lane - Tile);
    const int Last = min(31, 5856 * Block + 183 * Lane - Tile + 368);
    for (int I = First; I <= Last; ++I) {
      float2 Z = X[Tile + I];
#pragma unroll
      for (int Round = 0; Round < 8; ++Round)
        Z = {Z.x * Z.x - Z.y * Z.y + Round, 2 * Z.x * Z.y - Round};
      // CHECK: "line": [[@LINE+6]]
      // CHECK: "op": "store"
      // CHECK: "proof": "estimated",
      // CHECK-NEXT: "reason": "from a sample of the launch's blocks and loop iterations",
      // CHECK-NEXT: "active_lanes": 1.2
      // CHECK-NEXT: "sectors": 1.0{{[5-7]}}
      Y[32 * Block + Lane].x += Z.x;
    }
    __syncthreads();
  }
}

int main() {
  float2 *Y, *X;
  cudaMalloc(&Y, 384 * sizeof(float2));
  cudaMalloc(&X, 80000 * sizeof(float2));
  windows<<<12, 32>>>(Y, X);
}

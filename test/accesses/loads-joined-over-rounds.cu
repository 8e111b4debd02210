// Of a loop that it writes out nvcc may load the words of neighbouring rounds
// at once, which takes other passes than each by itself. What it makes of them
// hangs on where the loop begins, so that the number is not exact.
//
// RUN: %warpwise accesses --cuda-path=none %s 2>/dev/null | FileCheck %s

__global__ void dots(float *Out) {
  __shared__ float Rows[2][64];
  __shared__ float Padded[32][33];
  const unsigned Lane = threadIdx.x;
  Rows[Lane % 2][Lane] = float(Lane);
  for (int K = 0; K < 32; ++K)
    Padded[K][Lane] = float(K);
  __syncthreads();
  float Sum = 0;
#pragma unroll
  for (int K = 1; K < 32; ++K)
    // Two words by turns, or four words each of two lanes by turns.
    // CHECK: "line": [[@LINE+6]],
    // CHECK: "object": "Rows",
    // CHECK: "proof": "estimated",
    // CHECK: "wavefronts": 2,
    // CHECK: "low": 2,
    // CHECK: "high": 8
    Sum += Rows[Lane % 2][K];
#pragma unroll
  for (int K = 1; K < 32; ++K)
    // Rows that do not begin where four words could be loaded are left alone.
    // CHECK: "line": [[@LINE+4]],
    // CHECK: "object": "Padded",
    // CHECK: "proof": "exact",
    // CHECK: "wavefronts": 1,
    Sum += Padded[Lane][K];
#pragma unroll
  for (int K = 0; K < 8; ++K)
    // Rows of eight words begin where four can be loaded: two passes for what
    // four rows want at once (LDS.128 of dct8x8 in cuda-samples, an H200).
    // CHECK: "line": [[@LINE+6]],
    // CHECK: "object": "Rows",
    // CHECK: "proof": "estimated",
    // CHECK: "wavefronts": 2,
    // CHECK: "low": 1,
    // CHECK: "high": 4
    Sum += Rows[0][Lane / 8 * 8 + K];
  Out[Lane] = Sum;
}

void launch(float *Out) { dots<<<1, 32>>>(Out); }

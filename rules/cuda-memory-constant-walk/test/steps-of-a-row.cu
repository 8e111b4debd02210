// Weights in constant memory, in steps of a row and in order.
//
// RUN: %warpwise check --checks='-*,cuda-memory-constant-walk' \
// RUN:   --profile=nvidia-h100 --quiet %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

__constant__ float ByBand[224 * 20], ByComponent[20 * 224];

// Before: another line with each load, 14 KiB of lines.
__global__ void inSteps(const float *Image, float *Result, int Pixels) {
  const int Pixel = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum = 0;
  for (int Band = 0; Band < 224; ++Band)
    // CHECK: steps-of-a-row.cu:[[@LINE+1]]:12: warning: constant load walks through more than the constant cache holds (2048 bytes): likely 1 line per request has to be brought again (ideal 0.0625); about {{1\.[1-9].*|[2-9].*}}x faster {{.*}} [cuda-memory-constant-walk]
    Sum += ByBand[Band * 20 + blockIdx.y] * Image[Band * Pixels + Pixel];
  // CHECK: note: fewer where the warps of an SM keep step
  // CHECK: note: profile nvidia-h100: levels.constant_l15.cycles_per_line is
  // CHECK: note: lay 'ByBand' out in the order in which the loop reads it, or keep it in global memory, which L1 serves
  Result[blockIdx.y * Pixels + Pixel] = Sum;
}

// After: 16 loads share a line.
__global__ void inOrder(const float *Image, float *Result, int Pixels) {
  const int Pixel = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum = 0;
  for (int Band = 0; Band < 224; ++Band)
    Sum += ByComponent[blockIdx.y * 224 + Band] * Image[Band * Pixels + Pixel];
  Result[blockIdx.y * Pixels + Pixel] = Sum;
}

void launch(const float *Image, float *Result) {
  inSteps<<<dim3(2608, 20), 256>>>(Image, Result, 2608 * 256);
  inOrder<<<dim3(2608, 20), 256>>>(Image, Result, 2608 * 256);
}

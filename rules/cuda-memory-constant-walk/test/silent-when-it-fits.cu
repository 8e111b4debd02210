// Tables that the constant cache holds, however they are read; one that it does not
// hold beside loads that take longer; and one for which nobody has measured what
// that costs.
//
// RUN: %warpwise check --checks='-*,cuda-memory-constant-walk' \
// RUN:   --profile=nvidia-h100 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:
// CHECK: note: 0 warnings in 3 kernels, 9 of 9 accesses judged
//
// The table beside DRAM is seen to be lost all the same: its time is more than none.
// RUN: %warpwise accesses --profile=nvidia-h100 --quiet %s -- \
// RUN:   | FileCheck %s --check-prefix=LOST
// LOST: "name": "besideDram({{.*}}
// LOST: "constant": {{[1-9][0-9]*}}
//
// RUN: %warpwise check --checks='-*,cuda-memory-constant-walk' \
// RUN:   --profile=tesla-k20c %s -- -DLARGE 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning: --check-prefix=UNPRICED
// UNPRICED: note: cuda-memory-constant-walk keeps quiet: the profile of Tesla K20c does not say what a line of constant memory costs that the cache has lost

#ifdef LARGE
constexpr int Rows = 224;
#else
constexpr int Rows = 24;
#endif

__constant__ float Weights[Rows * 20];

// 24 lines of 32.
__global__ void inSteps(const float *Image, float *Result, int Pixels) {
  const int Pixel = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum = 0;
  for (int Band = 0; Band < Rows; ++Band)
    Sum += Weights[Band * 20 + blockIdx.y] * Image[Band * Pixels + Pixel];
  Result[blockIdx.y * Pixels + Pixel] = Sum;
}

// Again and again the same.
__global__ void inRounds(const float *Image, float *Result, int Pixels) {
  const int Pixel = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum = 0;
  for (int Round = 0; Round < 100; ++Round)
    Sum += Weights[Round % 16 * 20] * Image[Round * Pixels + Pixel];
  Result[Pixel] = Sum;
}

__constant__ float Large[64 * 16];

// Sixteen loads from DRAM for each line.
__global__ void besideDram(const float *In, float *Out, int Pixels) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum = 0;
  for (int R = 0; R < 64; ++R) {
    float Part = 0;
#pragma unroll
    for (int K = 0; K < 16; ++K)
      Part += In[(R * 16 + K) * Pixels + I];
    Sum += Large[R * 16] * Part;
  }
  Out[I] = Sum;
}

void launch(const float *Image, float *Result) {
  besideDram<<<512, 256>>>(Image, Result, 512 * 256);
  inSteps<<<dim3(2608, 20), 256>>>(Image, Result, 2608 * 256);
  inRounds<<<2608, 256>>>(Image, Result, 2608 * 256);
}

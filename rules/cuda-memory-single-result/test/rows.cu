// Windows in global memory: each thread loads what the one below it loads, too,
// or has four results in a row.
//
// RUN: %warpwise check --checks='-*,cuda-memory-single-result' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

constexpr int Pitch = 4096, Lines = 4096, Wide = 32, High = 8;

__global__ void before(const float *In, float *Out) {
  const int X = blockIdx.x * Wide + threadIdx.x;
  const int Y = blockIdx.y * High + threadIdx.y;
  float Most = 0;
#pragma unroll
  for (int J = 0; J < 9; ++J)
#pragma unroll
    for (int I = 0; I < 3; ++I)
      // CHECK: [[@LINE+2]]:26: warning: a thread makes 27 loads from global memory for one result, and the next one along y makes 24 of them again, as here of 'In'; about {{[12]\..*}}x faster {{.*}} when repaired [cuda-memory-single-result]
      // CHECK: note: give each thread 4 results or more in a row along y, and keep in registers what the next one needs, too; 9 loads for each are left
      Most = fmaxf(Most, In[(Y + J) * Pitch + X + I]);
  Out[Y * Pitch + X] = Most;
}

__global__ void after(const float *In, float *Out) {
  const int X = blockIdx.x * Wide + threadIdx.x;
  const int Y = (blockIdx.y * High + threadIdx.y) * 4;
  float Most[4] = {};
#pragma unroll
  for (int J = 0; J < 12; ++J)
#pragma unroll
    for (int I = 0; I < 3; ++I) {
      const float Value = In[(Y + J) * Pitch + X + I];
#pragma unroll
      for (int R = 0; R < 4; ++R)
        if (J >= R && J < R + 9)
          Most[R] = fmaxf(Most[R], Value);
    }
#pragma unroll
  for (int R = 0; R < 4; ++R)
    Out[(Y + R) * Pitch + X] = Most[R];
}

void launch(const float *In, float *Out) {
  const dim3 Block(Wide, High);
  before<<<dim3(Pitch / Wide - 1, Lines / High - 1), Block>>>(In, Out);
  after<<<dim3(Pitch / Wide - 1, Lines / High / 4 - 1), Block>>>(In, Out);
}

// CHECK: note: 1 warning in 2 kernels

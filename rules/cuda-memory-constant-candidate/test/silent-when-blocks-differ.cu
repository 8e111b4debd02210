// A row for each block, a table that the kernel writes, one that is read by lane
// as well, one that is too large, one of words far from each other, and data that
// choose the place.
//
// RUN: %warpwise check --checks='-*,cuda-memory-constant-candidate' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:
// CHECK: note: 0 warnings in 6 kernels, 14 of 15 accesses judged

constexpr int N = 1 << 20, Taps = 64;

__global__ void rows(const float *Table, float *Out) {
  float Sum = 0;
  for (int T = 0; T < Taps; ++T)
    Sum += Table[blockIdx.x * Taps + T];
  Out[blockIdx.x * blockDim.x + threadIdx.x] = Sum;
}

__global__ void written(float *Table, float *Out) {
  float Sum = 0;
  for (int T = 0; T < Taps; ++T)
    Sum += Table[T];
  Out[blockIdx.x * blockDim.x + threadIdx.x] = Sum;
  if (blockIdx.x == 0 && threadIdx.x == 0)
    Table[0] = Sum;
}

__global__ void byLane(const float *Table, float *Out) {
  float Sum = Table[threadIdx.x];
  for (int T = 0; T < Taps; ++T)
    Sum += Table[T];
  Out[blockIdx.x * blockDim.x + threadIdx.x] = Sum;
}

__global__ void large(const float *Table, float *Out) {
  float Sum = 0;
  for (int T = 0; T < 1 << 16; ++T)
    Sum += Table[T];
  Out[blockIdx.x * blockDim.x + threadIdx.x] = Sum;
}

__global__ void chosen(const int *Which, const float *Table, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum = 0;
  for (int T = 0; T < Taps; ++T)
    Sum += Table[Which[I] + T];
  Out[I] = Sum;
}

// Words that lie far from each other, more than the first cache holds.
__global__ void sparse(const float *Table, float *Out) {
  float Sum = 0;
  for (int T = 0; T < Taps; ++T)
    Sum += Table[T * 16 + blockIdx.y];
  Out[blockIdx.x * blockDim.x + threadIdx.x] = Sum;
}

void launch(const float *In, float *Table, const int *Which, float *Out) {
  rows<<<N / 256, 256>>>(In, Out);
  written<<<N / 256, 256>>>(Table, Out);
  byLane<<<N / 256, 256>>>(In, Out);
  large<<<N / 256, 256>>>(In, Out);
  sparse<<<dim3(N / 256, 8), 256>>>(In, Out);
  chosen<<<N / 256, 256>>>(Which, In, Out);
}

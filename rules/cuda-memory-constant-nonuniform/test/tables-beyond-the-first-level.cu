// Places that data choose in constant memory: of a table that the first level of
// its caches does not hold each word takes a line from the next one (25.7 clocks
// a word on an H200, exon-starts-in-constant of test/gpu/pairs).
//
// RUN: %checkpriced --checks='-*,cuda-memory-constant-nonuniform' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

constexpr int N = 1 << 20;
__constant__ float Small[256], Large[8192];

__global__ void fromSmall(const int *__restrict__ At, float *__restrict__ Out) {
  const int I = blockIdx.x * 256 + threadIdx.x;
  // CHECK: [[@LINE+1]]:{{[0-9]+}}: warning: constant load differs between lanes: {{.*}}; about 2.{{[0-9]+}}x faster
  Out[I] = Small[At[I] & 255];
}

__global__ void fromLarge(const int *__restrict__ At, float *__restrict__ Out) {
  const int I = blockIdx.x * 256 + threadIdx.x;
  // CHECK: [[@LINE+1]]:{{[0-9]+}}: warning: constant load differs between lanes: {{.*}}; about 2{{[0-9.]+}}x faster
  Out[I] = Large[At[I] & 8191];
}

// An element of 16 bytes is two words, however few of them there are.
__constant__ ulonglong2 Multiples[16];

__global__ void products(const int *__restrict__ At,
                         ulonglong2 *__restrict__ Out) {
  const int I = blockIdx.x * 256 + threadIdx.x;
  // CHECK: [[@LINE+1]]:{{[0-9]+}}: warning: constant load differs between lanes: likely 28 words per request
  Out[I] = Multiples[At[I] & 15];
}

void launch(const int *At, float *Out) {
  products<<<N / 256, 256>>>(At, (ulonglong2 *)Out);
  fromSmall<<<N / 256, 256>>>(At, Out);
  fromLarge<<<N / 256, 256>>>(At, Out);
}

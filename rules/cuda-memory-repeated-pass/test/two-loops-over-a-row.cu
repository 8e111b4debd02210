// A row that two loops of a block go through, for its greatest element and for
// the sum of exponentials relative to that; or one loop that scales the sum
// when it finds a greater one. Rows that a thread's registers have room for are
// kept there.
//
// RUN: %checkpriced --explain --checks='-*,cuda-memory-repeated-pass' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

constexpr int Rows = 4096, Long = 32768, Short = 16384, Threads = 256;

__device__ float ofBlock(float Mine, bool IsSum) {
  __shared__ float Part[Threads];
  Part[threadIdx.x] = Mine;
  __syncthreads();
  for (int Step = Threads / 2; Step > 0; Step /= 2) {
    if (threadIdx.x < Step)
      Part[threadIdx.x] =
          IsSum ? Part[threadIdx.x] + Part[threadIdx.x + Step]
                : fmaxf(Part[threadIdx.x], Part[threadIdx.x + Step]);
    __syncthreads();
  }
  const float All = Part[0];
  __syncthreads();
  return All;
}

__global__ void twice(const float *In, float *Out) {
  const float *Row = In + size_t(blockIdx.x) * Long;
  float Most = -1e30f;
  for (int I = threadIdx.x; I < Long; I += Threads)
    Most = fmaxf(Most, Row[I]);
  Most = ofBlock(Most, false);
  float Sum = 0;
  for (int I = threadIdx.x; I < Long; I += Threads)
// CHECK: [[@LINE+2]]:{{[0-9]+}}: warning: a loop loads again what each thread has loaded from 'In' in a loop before; about {{1\.[5-9].*}}x faster {{.*}} when repaired [cuda-memory-repeated-pass]
// CHECK: note: compute in one loop what 2 loops compute: what depends on a greatest or a mean can be corrected when that changes
    Sum += __expf(Row[I] - Most);
  Sum = ofBlock(Sum, true);
  if (threadIdx.x == 0)
    Out[blockIdx.x] = __logf(Sum) + Most;
}

__global__ void once(const float *In, float *Out) {
  const float *Row = In + size_t(blockIdx.x) * Long;
  float Most = -1e30f, Sum = 0;
  for (int I = threadIdx.x; I < Long; I += Threads) {
    const float Next = Row[I], Greater = fmaxf(Most, Next);
    Sum = Sum * __expf(Most - Greater) + __expf(Next - Greater);
    Most = Greater;
  }
  const float All = ofBlock(Most, false);
  Sum = ofBlock(Sum * __expf(Most - All), true);
  if (threadIdx.x == 0)
    Out[blockIdx.x] = __logf(Sum) + All;
}

__global__ void thrice(const float *In, float *Out) {
  const float *Row = In + size_t(blockIdx.x) * Long;
  float *To = Out + size_t(blockIdx.x) * Long;
  float Most = -1e30f;
  for (int I = threadIdx.x; I < Long; I += Threads)
    Most = fmaxf(Most, Row[I]);
  Most = ofBlock(Most, false);
  float Sum = 0;
  for (int I = threadIdx.x; I < Long; I += Threads)
// The last loop needs what the others find: it has to load the row.
// CHECK: [[@LINE+3]]:{{[0-9]+}}: warning: a loop loads again what each thread has loaded from 'In' in a loop before
// CHECK: note: loaded here first, 3 times in all
// CHECK: note: compute in one loop what 2 loops compute
    Sum += __expf(Row[I] - Most);
  Sum = ofBlock(Sum, true);
  for (int I = threadIdx.x; I < Long; I += Threads)
    To[I] = __expf(Row[I] - Most) / Sum;
}

__global__ void spread(const float *In, float *Out) {
  const float *Row = In + size_t(blockIdx.x) * Short;
  float Sum = 0, Squares = 0;
  for (int I = threadIdx.x; I < Short; I += Threads)
    Sum += Row[I];
  const float Mean = ofBlock(Sum, true) / Short;
  for (int I = threadIdx.x; I < Short; I += Threads)
// CHECK: [[@LINE+2]]:{{[0-9]+}}: warning: a loop loads again what each thread has loaded from 'In' in a loop before
// CHECK: note: keep the 64 elements of each thread in registers, in loops that are written out
    Squares += (Row[I] - Mean) * (Row[I] - Mean);
  Squares = ofBlock(Squares, true);
  if (threadIdx.x == 0)
    Out[blockIdx.x] = Squares / Short;
}

void launch(const float *In, float *Out) {
  twice<<<Rows, Threads>>>(In, Out);
  once<<<Rows, Threads>>>(In, Out);
  thrice<<<Rows, Threads>>>(In, Out);
  spread<<<Rows / 4, Threads>>>(In, Out);
}
// CHECK: note: 3 warnings in 4 kernels

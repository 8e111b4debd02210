// A store to the results may change the taps, so they are loaded for each one.
//
// RUN: %checkpriced --explain --checks='-*,cuda-memory-missing-restrict' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

constexpr int N = 1 << 21, Taps = 9, Each = 8;

__global__ void before(const float *In, const float *Tap, float *Out) {
  const int I = (blockIdx.x * blockDim.x + threadIdx.x) * Each;
  if (I + Each + Taps > N)
    return;
  for (int J = 0; J < Each; ++J) {
    float Sum = 0;
    for (int K = 0; K < Taps; ++K)
      // CHECK: [[@LINE+5]]:14: warning: 'Tap' is loaded again after each store to 'Out', which may be the same memory; about 1.{{[2-9].*}}x faster {{.*}} when repaired [cuda-memory-missing-restrict]
      // CHECK: note: if it were not, few of these loads would be left
      // CHECK: note: the kernel takes about
      // CHECK: note: block is 128, from this launch
      // CHECK: note: declare the kernel's pointers __restrict__ (and const where nothing is stored) if they never lead to the same memory, else load what several rounds need before storing for the first
      Sum += Tap[K] * In[I + J + K];
    Out[I + J] = Sum;
  }
}

__global__ void after(const float *__restrict__ In,
                      const float *__restrict__ Tap, float *__restrict__ Out) {
  const int I = (blockIdx.x * blockDim.x + threadIdx.x) * Each;
  if (I + Each + Taps > N)
    return;
  for (int J = 0; J < Each; ++J) {
    float Sum = 0;
    for (int K = 0; K < Taps; ++K)
      Sum += Tap[K] * In[I + J + K];
    Out[I + J] = Sum;
  }
}

void launch(const float *In, const float *Tap, float *Out) {
  before<<<N / Each / 128, 128>>>(In, Tap, Out);
  after<<<N / Each / 128, 128>>>(In, Tap, Out);
}
// CHECK: note: 1 warning in 2 kernels

// What nvcc keeps in registers is no finding, whatever Clang makes of it; what it
// leaves in memory is one, and certain. The second run finds the answers of the
// first. An array that is larger than the stack frame is not in it. Without nvcc
// loops over such an array are taken to be written out, however long they are.
//
// REQUIRES: toolkit-nvcc
// RUN: rm -rf %t
// RUN: env XDG_CACHE_HOME=%t %warpwise check \
// RUN:   --checks='-*,cuda-memory-local-array' --profile=nvidia-h100-pcie --quiet %s \
// RUN:   --cuda-path=%cuda -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:
// RUN: ls %t/warpwise/nvcc | count 1
// RUN: env XDG_CACHE_HOME=%t %warpwise check \
// RUN:   --checks='-*,cuda-memory-local-array' --profile=nvidia-h100-pcie --quiet %s \
// RUN:   --cuda-path=%cuda -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:
// RUN: %warpwise check --checks='-*,cuda-memory-local-array' --no-nvcc \
// RUN:   --profile=nvidia-h100-pcie --quiet %s -- 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ALONE \
// RUN:   --implicit-check-not=warning:

struct alignas(16) Pack {
  unsigned short D[8];
};

__device__ float widen(unsigned short S) {
  return __uint_as_float((unsigned)S << 16);
}

namespace {
__global__ void gelu(Pack *Out, const Pack *In, const Pack *Up, int N) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= N)
    return;
  Pack R, A = In[I], B = Up[I];
  for (int K = 0; K < 8; ++K) {
    float X = widen(A.D[K]), Cube = 0.044715f * X * X * X;
    float Arg = 0.7978845f * (X + Cube);
    float T = tanhf(Arg), C = coshf(Arg), S = 1.f / (C * C);
    float L = 0.5f * (1.f + T) + X * 0.5f * S * 0.7978845f *
                                     (1.f + 3.f * 0.044715f * X * X);
    R.D[K] = (unsigned short)(__float_as_uint(L * widen(B.D[K])) >> 16);
  }
  Out[I] = R;
}
} // namespace

__global__ void sort(float *Out, const int *Keys, int N) {
  float Large[100];
  // CHECK: [[@LINE-1]]: warning: private array 'Large' stays in local memory, because
  // CHECK: note: nvcc gives this kernel a stack frame that holds it
  // ALONE: [[@LINE-3]]: warning: private array 'Large' stays in local memory in Clang's view
  for (int I = 0; I < 100; ++I)
    Large[I] = 0;
  for (int I = 0; I < N; ++I)
    Large[Keys[I]] += Out[I];
  for (int I = 0; I < 100; ++I)
    Out[I * N + threadIdx.x] = Large[Keys[I]];
}

void launch(Pack *P, float *Out, const int *Keys, int N) {
  gelu<<<N / 256, 256>>>(P, P, P, N);
  sort<<<1, 64>>>(Out, Keys, N);
}

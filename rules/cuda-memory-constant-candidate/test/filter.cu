// Coefficients that all lanes read alike, as an argument and in constant memory.
//
// RUN: %checkpriced --explain --checks='-*,cuda-memory-constant-candidate' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

constexpr int N = 1 << 22, Taps = 64;

__constant__ float Coefficients[Taps];

__global__ void before(const float *In, const float *Table, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum = 0;
  for (int T = 0; T < Taps; ++T)
    // CHECK: [[@LINE+5]]{{.*}}: warning: all lanes of all blocks read the same words of 'Table': a warp asks for them 64 times; about 1.{{[5-8].*}}x faster {{.*}} when repaired [cuda-memory-constant-candidate]
    // CHECK: note: they are about 256 bytes in all, and in constant memory operands of the instructions that use them
    // CHECK: note: the kernel takes about {{.*}} bound by the load and store unit
    // CHECK: note: block is 256, from this launch
    // CHECK: note: pass 'Table' by value, in a struct among the arguments, or copy it into a __constant__ array before the launch
    Sum += Table[T] * In[I + T];
  Out[I] = Sum;
}

__global__ void after(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum = 0;
  for (int T = 0; T < Taps; ++T)
    Sum += Coefficients[T] * In[I + T];
  Out[I] = Sum;
}

void launch(const float *In, const float *Table, float *Out) {
  before<<<N / 256, 256>>>(In, Table, Out);
  after<<<N / 256, 256>>>(In, Out);
}
// CHECK: note: 1 warning in 2 kernels

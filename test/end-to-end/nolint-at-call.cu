// A comment at a call silences what the calls on the way lead to, but not what
// another way leads to as well.
//
// RUN: %warpwise check --gpu=nvidia-h100-pcie --cuda-path=none %s -- >%t.out 2>%t.err
// RUN: FileCheck %s --implicit-check-not=warning: <%t.out
// RUN: FileCheck %s --check-prefix=SUMMARY <%t.err

__device__ float once(const float *P) { return P[threadIdx.x * 64]; }
__device__ float both(const float *P) { return P[threadIdx.x * 65]; }
__device__ float twice(const float *P) { return P[threadIdx.x * 66]; }
// CHECK: nolint-at-call.cu:[[@LINE-1]]:{{.*}} warning: {{.*}} [cuda-memory-uncoalesced-access]

__device__ float middle(const float *P) { return once(P); }

__global__ void first(float *Out, const float *In) {
  float Sum = middle(In); // NOLINT(cuda-memory-uncoalesced-access)
  Sum += both(In);        // NOLINT
  Sum += twice(In);       // NOLINT
  Out[threadIdx.x] = Sum;
}

__global__ void second(float *Out, const float *In) {
  // NOLINTNEXTLINE
  Out[threadIdx.x] = both(In);
  Out[threadIdx.x + 32] = twice(In);
}

void launch(float *Out, const float *In) {
  first<<<1, 32>>>(Out, In);
  second<<<1, 32>>>(Out, In);
}

// SUMMARY: note: 1 warning in 2 kernels, {{[0-9]+ of [0-9]+}} accesses judged (2 suppressed by NOLINT)

// Loops that take all the steps of an evaluation hide what comes after them: a
// round or two of each lead there.
//
// RUN: %warpwise accesses --cuda-path=none %s 2>/dev/null \
// RUN:   | %python -c 'import json, sys; [print(a["line"], a["op"], a["object"], c["proof"], c["sectors"]) for k in json.load(sys.stdin)["kernels"] for a in k["accesses"] for c in a["per_launch"]]' \
// RUN:   | FileCheck %s --implicit-check-not=unknown

__device__ float slow(float X) {
  float Sum = 0;
  for (int I = 0; I < 3000; ++I) {
    Sum = Sum * X + I;
    X *= 1.5f;
  }
  return Sum;
}

// CHECK: [[#@LINE+13]] store Out estimated 4
__global__ void nest(float *Out, float *Sums, const int *Rows, int Count) {
  extern __shared__ float Shares[];
  for (int I = blockIdx.x; I < Count; I += gridDim.x) {
    int Begin = Rows[I], End = Rows[I + 1];
    for (int J = 0; J < 20; ++J)
      for (int K = Begin; K < End; ++K) {
        for (int L = threadIdx.x; L < Count; L += 1024)
          Shares[L] += K * J;
        for (int L = threadIdx.x; L < 100000; L += 1024)
          Shares[L + K] += K * J;
      }
    for (int L = threadIdx.x; L < Count; L += 1024)
      Out[I * Count + L] = slow(L);
    Sums[threadIdx.x] = I;
  }
}

// What only the last round of a loop leads to.
// CHECK: [[#@LINE+9]] store Out bounded
__global__ void last(float *Out, const int *Rows, int Count) {
  int Begin = Rows[blockIdx.x], End = Rows[blockIdx.x + 1];
  for (int I = 0; I < 1000; ++I)
    for (int K = Begin; K < End; ++K) {
      float Sum = 0;
      for (int L = threadIdx.x; L < 100000; L += 32)
        Sum += K * L;
      if (I == 999)
        Out[K * 1024 + threadIdx.x] = Sum + slow(K);
    }
}

void launch(float *Out, float *Sums, const int *Rows, int Count) {
  nest<<<64, 1024, 4096>>>(Out, Sums, Rows, Count);
  last<<<64, 32>>>(Out, Rows, Count);
}

// Shared memory has no addition of floats: nvcc makes a loop of a load and a
// compare-and-swap, whose lanes do not take turns at one word: all of them try in
// each round. (ATOMS.CAST.SPIN: two wavefronts, for 8 bytes two for each half of the
// warp that still has lanes left, read off an H200's counters.)
//
// RUN: %warpwise accesses --cuda-path=none %s 2>/dev/null \
// RUN:   | %python -c 'import json, sys; [print(k["name"].split("(")[0], a["op"], a["per_launch"][0]["wavefronts"], a["per_launch"][0]["ideal_wavefronts"], *[round(a["per_launch"][0][r], 1) for r in ["swap_rounds"] if r in a["per_launch"][0]]) for k in json.load(sys.stdin)["kernels"] for a in k["accesses"] if a["space"] == "shared"]' \
// RUN:   | FileCheck %s --match-full-lines --implicit-check-not={{[a-z]}}

// CHECK:      floats load 1 1
// CHECK-NEXT: floats atomic 2 2 32
__global__ void floats(const float *In) {
  __shared__ float Sum;
  atomicAdd(&Sum, In[threadIdx.x]);
}

// One word: sixteen rounds with both halves, sixteen with one.
// CHECK-NEXT: doubles load 1 1
// CHECK-NEXT: doubles atomic 3 3 32
__global__ void doubles(const double *In) {
  __shared__ double Sum;
  atomicAdd(&Sum, In[threadIdx.x]);
}

// A word for each lane, all of them in one bank: that takes rounds, not passes.
// CHECK-NEXT: column load 32 1
// CHECK-NEXT: column atomic 2 2 32
__global__ void column(const float *In) {
  __shared__ float Sums[256 * 32];
  atomicAdd(&Sums[threadIdx.x * 32], In[threadIdx.x]);
}

// Where data choose, as many rounds as the fullest bank has lanes.
// CHECK-NEXT: chosen load 3.5{{.*}} 1
// CHECK-NEXT: chosen atomic 2 {{.*}} 3.5
__global__ void chosen(const float *In, const int *Bin) {
  __shared__ float Sums[4096];
  atomicAdd(&Sums[Bin[threadIdx.x]], In[threadIdx.x]);
}

void launch(const float *A, const double *B, const int *C) {
  floats<<<64, 256>>>(A);
  doubles<<<64, 256>>>(B);
  column<<<64, 256>>>(A);
  chosen<<<64, 256>>>(A, C);
}

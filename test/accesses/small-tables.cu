// What is loaded from memory decides where lanes go, but not beyond the table that
// the index is cut to.
//
// RUN: %warpwise accesses %s --block=256 | FileCheck %s

__constant__ int Codes[4];

// CHECK-LABEL: "name": "sixteenWords(
__global__ void sixteenWords(float *Out, const float *Table, const int *In) {
  const int I = In[blockIdx.x * 256 + threadIdx.x];
  // CHECK: "line": [[@LINE+4]]
  // CHECK: "proof": "bounded"
  // CHECK: "low": 1
  // CHECK: "high": 2
  Out[blockIdx.x * 256 + threadIdx.x] = Table[I & 7];
}

// One word for each bank: whichever they read, lanes never meet in one.
// CHECK-LABEL: "name": "oneRow(
__global__ void oneRow(float *Out, const unsigned *In) {
  __shared__ float Row[32];
  if (threadIdx.x < 32)
    Row[threadIdx.x] = In[threadIdx.x];
  __syncthreads();
  // CHECK: "line": [[@LINE+4]]
  // CHECK: "op": "load"
  // CHECK: "proof": "exact"
  // CHECK: "wavefronts": 1
  Out[threadIdx.x] = Row[In[threadIdx.x] % 29];
}

// 256 words: eight for each bank.
// CHECK-LABEL: "name": "bytes(
__global__ void bytes(float *Out, const unsigned char *In) {
  __shared__ float Table[256];
  Table[threadIdx.x] = threadIdx.x * threadIdx.x;
  __syncthreads();
  // CHECK: "line": [[@LINE+5]]
  // CHECK: "op": "load"
  // CHECK: "proof": "data-dependent"
  // CHECK: "low": 1
  // CHECK: "high": 8
  Out[threadIdx.x] = Table[In[threadIdx.x]];
}

// CHECK-LABEL: "name": "ofFour(
__global__ void ofFour(int *Out, const int *In) {
  // CHECK: "line": [[@LINE+4]]
  // CHECK: "proof": "data-dependent"
  // CHECK: "low": 1
  // CHECK: "high": 4
  Out[threadIdx.x] = Codes[min(max(In[threadIdx.x], 0), 3)];
}

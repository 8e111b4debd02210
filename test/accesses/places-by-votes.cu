// Lanes that have something to store count the votes of those before them: their
// places are in a row, and begin anywhere. What else is done with votes nobody knows.
//
// RUN: %warpwise accesses --cuda-path=none %s -- -arch=sm_90 2>/dev/null | FileCheck %s

__device__ unsigned before(unsigned Votes) {
  return __popc(Votes & ((1u << threadIdx.x % 32) - 1));
}

// CHECK: "name": "ofTheWarp(
__global__ void ofTheWarp(int *Out, const int *In) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const bool Keeps = In[I] > 0;
  const unsigned Votes = __ballot_sync(~0u, Keeps);
  // CHECK: "line": [[@LINE+8]]
  // CHECK: "op": "store"
  // CHECK: "proof": "estimated",
  // CHECK: "sectors": 4.875,
  // CHECK-NEXT: "ideal_sectors": 4,
  // CHECK: "low": 2,
  // CHECK-NEXT: "high": 5,
  if (Keeps)
    Out[In[blockIdx.x] + before(Votes)] = In[I];
}

// CHECK: "name": "ofTheGrid(
__global__ void ofTheGrid(int *Out, int *Count, const int *In) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const bool Keeps = In[I] > 0;
  const unsigned Votes = __ballot_sync(~0u, Keeps);
  const int Leader = __ffs(Votes) - 1;
  int Base = 0;
  if (threadIdx.x % 32 == Leader)
    Base = atomicAdd(Count, __popc(Votes));
  Base = __shfl_sync(~0u, Base, Leader);
  // CHECK: "line": [[@LINE+5]]
  // CHECK: "op": "store"
  // CHECK: "proof": "estimated",
  // CHECK: "sectors": 4.875,
  if (Keeps)
    Out[Base + before(Votes)] = In[I];
}

// Each lane looks at a bit of its own.
// CHECK: "name": "others(
__global__ void others(int *Out, const int *In) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned Votes = __ballot_sync(~0u, In[I] > 0);
  // CHECK: "line": [[@LINE+3]]
  // CHECK: "op": "store"
  // CHECK: "proof": "data-dependent",
  Out[I * 2 + (Votes >> threadIdx.x % 7 & 1) * 1000 + before(Votes)] = 1;
}

int main() {
  ofTheWarp<<<4096, 256>>>(nullptr, nullptr);
  ofTheGrid<<<4096, 256>>>(nullptr, nullptr, nullptr);
  others<<<4096, 256>>>(nullptr, nullptr);
}

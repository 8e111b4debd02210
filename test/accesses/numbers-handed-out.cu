// What lanes get from a counter that all of them add to are numbers in a row: what they
// store there lies side by side. From counters of their own they may get any.
//
// RUN: %warpwise accesses %s | FileCheck %s

// CHECK: "name": "append(
__global__ void append(float2 *Out, int *Count, const float2 *In) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK: "line": [[@LINE+8]]
  // CHECK: "op": "store"
  // CHECK: "proof": "estimated",
  // CHECK-NEXT: "reason": "depends on an offset that is loaded from memory",
  // CHECK: "low": 8,
  // CHECK-NEXT: "high": 9,
  // CHECK-NEXT: "possible": [
  // CHECK-NEXT: 1,
  Out[atomicAdd(Count, 1)] = In[I];
}

// CHECK: "name": "claim(
__global__ void claim(float *Out, const float *In) {
  __shared__ int Left;
  if (threadIdx.x == 0)
    Left = 4096;
  __syncthreads();
  // CHECK: "line": [[@LINE+4]]
  // CHECK: "op": "store"
  // CHECK: "proof": "estimated",
  // CHECK: "sectors": 29,
  Out[atomicSub(&Left, 7)] = In[threadIdx.x];
}

// CHECK: "name": "keep(
__global__ void keep(float *Out, int *Count, const float *In) {
  const float X = In[blockIdx.x * blockDim.x + threadIdx.x];
  // Half of the lanes may have something to store, or fewer; what these need is
  // likely what they cost.
  // CHECK: "line": [[@LINE+8]]
  // CHECK: "op": "store"
  // CHECK: "proof": "estimated",
  // CHECK: "sectors": 4,
  // CHECK-NEXT: "ideal_sectors": 4,
  // CHECK: "low": 2,
  // CHECK-NEXT: "high": 5,
  if (X > 0)
    Out[atomicAdd(Count, 1)] = X;
}

// CHECK: "name": "scatter(
__global__ void scatter(float *Out, int *Counts, const float *In) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK: "line": [[@LINE+3]]
  // CHECK: "op": "store"
  // CHECK: "proof": "data-dependent",
  Out[atomicAdd(&Counts[I], 1)] = In[I];
}

// CHECK: "name": "grow(
__global__ void grow(float *Out, int *Count, const int *By) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK: "line": [[@LINE+3]]
  // CHECK: "op": "store"
  // CHECK: "proof": "data-dependent",
  Out[atomicAdd(Count, By[I])] = 1;
}

int main() {
  append<<<4096, 256>>>(nullptr, nullptr, nullptr);
  claim<<<4096, 256>>>(nullptr, nullptr);
  keep<<<4096, 256>>>(nullptr, nullptr, nullptr);
  scatter<<<4096, 256>>>(nullptr, nullptr, nullptr);
  grow<<<4096, 256>>>(nullptr, nullptr, nullptr);
}

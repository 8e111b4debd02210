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
  // Half of the lanes may have something to store, or fewer. The numbers of a warp
  // begin anywhere in a sector then: in one of eight cases at its start.
  // CHECK: "line": [[@LINE+8]]
  // CHECK: "op": "store"
  // CHECK: "proof": "estimated",
  // CHECK: "sectors": 4.875,
  // CHECK-NEXT: "ideal_sectors": 4,
  // CHECK: "low": 2,
  // CHECK-NEXT: "high": 5,
  if (X > 0)
    Out[atomicAdd(Count, 1)] = X;
}

// A block's part of the output, and in it what a counter of the block hands out to
// those that have something to store.
// CHECK: "name": "compact(
__global__ void compact(int *Out, int *Count, const int *In) {
  __shared__ int Mine;
  if (threadIdx.x == 0)
    Mine = 0;
  __syncthreads();
  const int X = In[blockIdx.x * blockDim.x + threadIdx.x];
  int Place;
  if (X > 0)
    Place = atomicAdd(&Mine, 1);
  __syncthreads();
  if (threadIdx.x == 0)
    Mine = atomicAdd(Count, Mine);
  __syncthreads();
  // CHECK: "line": [[@LINE+8]]
  // CHECK: "op": "store"
  // CHECK: "proof": "estimated",
  // CHECK: "sectors": 4.875,
  // CHECK-NEXT: "ideal_sectors": 4,
  // CHECK: "low": 2,
  // CHECK-NEXT: "high": 5,
  if (X > 0)
    Out[Mine + Place] = X;
}

// CHECK: "name": "compactMarked(
__global__ void compactMarked(int *Out, int *Count, const int *In) {
  const int X = In[blockIdx.x * blockDim.x + threadIdx.x];
  int Place = -1;
  if (X > 0)
    Place = atomicAdd(Count, 1);
  __syncthreads();
  // CHECK: "line": [[@LINE+8]]
  // CHECK: "op": "store"
  // CHECK: "proof": "estimated",
  // CHECK: "sectors": 4.875,
  // CHECK-NEXT: "ideal_sectors": 4,
  // CHECK: "low": 2,
  // CHECK-NEXT: "high": 5,
  if (Place >= 0)
    Out[Place] = X;
}

// Who got no number goes elsewhere, and not all of them to the same place.
// CHECK: "name": "compactOrKeep(
__global__ void compactOrKeep(int *Out, int *Count, const int *In) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  int Place = In[I] & 1023;
  if (In[I] > 0)
    Place = atomicAdd(Count, 1);
  // CHECK: "line": [[@LINE+3]]
  // CHECK: "op": "store"
  // CHECK: "proof": "data-dependent",
  Out[Place] = 1;
}

// Likewise where all of them go to one place.
// CHECK: "name": "compactOrFirst(
__global__ void compactOrFirst(int *Out, int *Count, const int *In) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  int Place = 7;
  if (In[I] > 0)
    Place = atomicAdd(Count, 1);
  // CHECK: "line": [[@LINE+3]]
  // CHECK: "op": "store"
  // CHECK: "proof": "data-dependent",
  Out[Place] = 1;
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
  compact<<<4096, 256>>>(nullptr, nullptr, nullptr);
  compactMarked<<<4096, 256>>>(nullptr, nullptr, nullptr);
  compactOrKeep<<<4096, 256>>>(nullptr, nullptr, nullptr);
  compactOrFirst<<<4096, 256>>>(nullptr, nullptr, nullptr);
  scatter<<<4096, 256>>>(nullptr, nullptr, nullptr);
  grow<<<4096, 256>>>(nullptr, nullptr, nullptr);
}

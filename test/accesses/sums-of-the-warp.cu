// What redux.sync makes of the values of all lanes is the same in each of them,
// whatever it is. Lanes that name others have sums of their own.
//
// RUN: %warpwise accesses --cuda-path=none %s -- -arch=sm_90 2>/dev/null | FileCheck %s

// CHECK: "name": "ofAll(
__global__ void ofAll(unsigned *Out, const unsigned *In) {
  const unsigned Sum =
      __reduce_add_sync(~0u, In[blockIdx.x * blockDim.x + threadIdx.x]);
  // CHECK: "line": [[@LINE+4]]
  // CHECK: "op": "store"
  // CHECK: "proof": "exact",
  // CHECK: "sectors": 32,
  Out[threadIdx.x % 32 * 8 + Sum % 2] = Sum;
}

// CHECK: "name": "ofThoseAlike(
__global__ void ofThoseAlike(unsigned *Out, const unsigned *In) {
  const unsigned Mine = In[blockIdx.x * blockDim.x + threadIdx.x];
  const unsigned Most =
      __reduce_max_sync(__match_any_sync(~0u, Mine & 3), Mine);
  // CHECK: "line": [[@LINE+3]]
  // CHECK: "op": "store"
  // CHECK: "proof": "estimated",
  Out[threadIdx.x % 32 * 8 + Most % 2] = Most;
}

int main() {
  ofAll<<<4096, 256>>>(nullptr, nullptr);
  ofThoseAlike<<<4096, 256>>>(nullptr, nullptr);
}

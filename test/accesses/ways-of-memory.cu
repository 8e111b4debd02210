// A variable holds one number or another after a branch that memory decides: what it
// guards in turn is reached.
//
// RUN: %warpwise accesses %s | FileCheck %s

// CHECK-NOT: no thread reaches it

// Stream compaction: which threads keep their element, and how many do.
__global__ void compact(float Limit, const float *In, unsigned *Kept,
                        unsigned *Count) {
  const unsigned I = blockIdx.x * 256 + threadIdx.x;
  unsigned Keep;
  if (In[2 * I] <= Limit && In[2 * I + 1] >= Limit)
    Keep = 1;
  else
    Keep = 0;
  unsigned Sum = Keep;
  for (int Step = 1; Step < 32; Step *= 2) {
    const unsigned Other = __shfl_up_sync(~0u, Sum, Step);
    if (threadIdx.x % 32 >= Step)
      Sum += Other;
  }
  // CHECK: "line": [[@LINE+4]]
  // CHECK: "op": "atomic"
  // CHECK: "proof": "exact"
  if (threadIdx.x % 32 == 31 && Sum != 0)
    atomicAdd(Count, Sum);
  // CHECK: "line": [[@LINE+4]]
  // CHECK: "op": "store"
  // CHECK: "proof": "estimated"
  if (Keep)
    Kept[I] = I;
}

int main() {
  compact<<<64, 256>>>(-0.9f, nullptr, nullptr, nullptr);
}

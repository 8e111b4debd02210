// Records that others want as they are: what a kernel stores of them can pass
// through shared memory.
// RUN: %warpwise check --checks='-*,cuda-memory-uncoalesced-access' \
// RUN:   --profile=nvidia-h200 --quiet %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

struct Probabilities {
  float Of[32];
};

struct Surfel {
  float X, Y, Z, Weight, Red, Green, Blue, Age;
};

__global__ void likeliest(const Probabilities *All, int *Best, int Count) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Count)
    return;
  // Eight of the loads come to a sector, 32 to a record.
  // CHECK: [[@LINE+2]]{{.*}}: warning: global load is uncoalesced: {{.*}}32 sectors per request (ideal 4), which L1 looks up one by one for each of the 8 requests that share them
  // CHECK: note: pass the records of 'All' through shared memory, so that the warp moves them side by side, or store their fields separately (structure of arrays)
  const Probabilities P = All[I];
  int Found = 0;
#pragma unroll
  for (int L = 1; L < 32; ++L)
    if (P.Of[L] > P.Of[Found])
      Found = L;
  Best[I] = Found;
}

__global__ void place(const float *X, const float *Y, const float *Z,
                      Surfel *Into, int Count) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Count)
    return;
  // CHECK: [[@LINE+2]]{{.*}}: warning: global store is uncoalesced: {{.*}}32 sectors per request (ideal 4)
  // CHECK: note: store the fields of 'Into' separately (structure of arrays), or pass what is stored of each record through shared memory where others want records; the same at [[@LINE+2]]:13 and [[@LINE+3]]:13
  Into[I].X = X[I];
  Into[I].Y = Y[I];
  Into[I].Z = Z[I];
}

// A loop over as many as nobody knows: the grid is known, its work is not.
__global__ void close(Surfel *Nodes, int Count) {
  for (int I = blockIdx.x * blockDim.x + threadIdx.x; I < Count;
       I += blockDim.x * gridDim.x)
    // CHECK: [[@LINE+1]]{{.*}}: warning: global store is uncoalesced: {{.*}}; if its loops run long enough 
    Nodes[I].Age = 1;
}

void launch(Surfel *Nodes, int Count) {
  close<<<336, 256>>>(Nodes, Count);
}

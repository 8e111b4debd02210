// An index from memory stays within what the host code allocates, whatever it
// is: a table of one sector is one, of four at most four.
//
// RUN: %warpwise accesses --profile=nvidia-h200 %s -- | FileCheck %s

__global__ void count(int *Five, int *Thirty, int *Many, const int *Index) {
  const int I = Index[blockIdx.x * blockDim.x + threadIdx.x];
  // CHECK: "object": "Five"
  // CHECK: "proof": "exact",
  // CHECK: "sectors": 1,
  atomicAdd(&Five[I], 1);
  // CHECK: "object": "Thirty"
  // CHECK: "proof": "data-dependent",
  // CHECK: "low": 1,
  // CHECK-NEXT: "high": 4
  atomicAdd(&Thirty[I - 4], 1);
  // CHECK: "object": "Many"
  // CHECK: "proof": "data-dependent",
  // CHECK: "low": 1,
  // CHECK-NEXT: "high": 32
  atomicAdd(&Many[I], 1);
}

int main() {
  int *Five, *Thirty, *Many, *Index, N = 4096 * 256;
  cudaMalloc(&Five, 5 * sizeof(int));
  cudaMalloc(&Thirty, 30 * sizeof(int));
  cudaMalloc(&Many, N * sizeof(int));
  cudaMalloc(&Index, N * sizeof(int));
  count<<<N / 256, 256>>>(Five, Thirty, Many, Index);
}

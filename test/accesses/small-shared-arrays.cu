// An index stays within its array in shared memory, whatever it is: one word
// for each bank cannot be in conflict, two are two-fold at most.
//
// RUN: %warpwise accesses --profile=nvidia-h200 %s -- | FileCheck %s

__global__ void shuffle(int Rows, int Columns, const int *From, int *To) {
  __shared__ int One[32];
  __shared__ int Two[64];
  __shared__ double Halves[16];
  __shared__ int Many[1024];
  const int I = threadIdx.x;
  One[I] = Two[I] = Many[I] = From[I];
  if (I < 16)
    Halves[I] = From[I];
  __syncthreads();
  // CHECK: "line": [[#@LINE+8]],
  // CHECK: "object": "One"
  // CHECK: "proof": "exact",
  // CHECK: "wavefronts": 1,
  // CHECK: "object": "Two"
  // CHECK: "proof": "bounded",
  // CHECK: "low": 1,
  // CHECK-NEXT: "high": 2
  To[I] = One[I % Rows * Columns + I / Rows] + Two[From[I + 64]];
  // CHECK: "line": [[#@LINE+4]],
  // CHECK: "object": "One"
  // CHECK: "proof": "exact",
  // CHECK: "wavefronts": 1,
  One[From[I + 32]] = I;
  // Lanes that hit the same word take turns.
  // CHECK: "line": [[#@LINE+5]],
  // CHECK: "object": "One"
  // CHECK: "proof": "data-dependent",
  // CHECK: "low": 1,
  // CHECK-NEXT: "high": 32
  atomicAdd(&One[From[I + 96]], 1);
  // CHECK: "line": [[#@LINE+9]],
  // CHECK: "object": "Halves"
  // CHECK: "proof": "bounded",
  // CHECK: "low": 1,
  // CHECK-NEXT: "high": 2
  // CHECK: "object": "Many"
  // CHECK: "proof": "data-dependent",
  // CHECK: "low": 1,
  // CHECK-NEXT: "high": 32
  To[I + 32] = Halves[From[I + 128]] + Many[From[I + 160]];
}

void launch(int Rows, int Columns) {
  int *From, *To;
  cudaMalloc(&From, 1 << 20);
  cudaMalloc(&To, 1 << 20);
  shuffle<<<1, 32>>>(Rows, Columns, From, To);
}

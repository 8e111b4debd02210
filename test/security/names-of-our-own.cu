// What a source calls like an entry point of ours is not taken for one.
//
// RUN: %warpwise reuse --quiet --cuda-path=none %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=crashed

__device__ int context[64] asm("warpwise.context");
__device__ int variable[64] asm("warpwise.variable.0");
__device__ void *access(int, void *) asm("warpwise.access");

// CHECK: {{^}}warpwise.event
// CHECK: L1 loads 0.00 % 4 128 B
__global__ void copies(int *P) asm("warpwise.event");
__global__ void copies(int *P) { P[threadIdx.x] = context[threadIdx.x]; }

// CHECK: {{^}}warpwise.run.reads
// CHECK: L1 loads 0.00 % 8 256 B
__global__ void reads(int *P) asm("warpwise.run.reads");
__global__ void reads(int *P) {
  P[threadIdx.x] = context[threadIdx.x] + variable[threadIdx.x];
}

// CHECK: {{^}}memcpy
// CHECK: L1 stores 0.00 % 4 128 B
__global__ void memcpy(int *P) asm("memcpy");
__global__ void memcpy(int *P) { P[threadIdx.x] = 1; }

void launch(int *P) {
  copies<<<1, 32>>>(P);
  reads<<<1, 32>>>(P);
  memcpy<<<1, 32>>>(P);
}

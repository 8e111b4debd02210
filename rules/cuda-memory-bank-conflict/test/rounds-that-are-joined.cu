// Words that a lane takes from shared memory in successive rounds lie side by
// side: nvcc makes one load or store of 16 bytes of four rounds (LDS.128,
// STS.128 in cubins of nvcc 13 for sm_90), which have no conflict between them.
// Longer rows do have one, though fewer ways than the rounds had alone; and
// nothing is joined where loads and stores of shared memory take turns.
//
// RUN: %warpwise check --checks='-*,cuda-memory-bank-conflict' --min-gain=0 \
// RUN:   --profile=nvidia-h200 --quiet %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

__device__ void fill(float *T, const float *G, int Elements) {
  for (int I = threadIdx.x; I < Elements; I += 256)
    T[I] = G[I];
  __syncthreads();
}

__global__ void loads(float *G) {
  __shared__ float T[1024];
  fill(T, G, 1024);
  float Sum = 0;
  for (int I = 0; I < 4; ++I)
    Sum += T[threadIdx.x * 4 + I];
  G[threadIdx.x] = Sum;
}

// As libraries transpose what a warp has loaded.
__global__ void loadsOfAWarp(float *G) {
  __shared__ float T[1024];
  fill(T, G, 1024);
  const int Lane = threadIdx.x % 32, Warp = threadIdx.x / 32 * 128;
  float Sum = 0;
  for (int I = 0; I < 4; ++I)
    Sum += T[Warp + Lane * 4 + I];
  G[threadIdx.x] = Sum;
}

__global__ void stores(float *G) {
  __shared__ float T[1024];
  for (int I = 0; I < 4; ++I)
    T[threadIdx.x * 4 + I] = G[I * 256 + threadIdx.x];
  __syncthreads();
  for (int I = 0; I < 4; ++I)
    G[I * 256 + threadIdx.x] = T[I * 256 + threadIdx.x];
}

__global__ void longRows(float *G) {
  __shared__ float T[2048];
  fill(T, G, 2048);
  float Sum = 0;
  for (int I = 0; I < 8; ++I)
    Sum += T[threadIdx.x * 8 + I];
  // CHECK: [[@LINE-1]]:12: warning: shared load is a 2-way bank conflict: 8 wavefronts per request (ideal 4)
  G[threadIdx.x] = Sum;
}

__global__ void byTurns(float *G) {
  __shared__ float T[1024], U[1024];
  fill(T, G, 1024);
  for (int I = 0; I < 4; ++I)
    U[threadIdx.x * 4 + I] = T[threadIdx.x * 4 + I] + 1;
  // CHECK: [[@LINE-1]]:28: warning: shared store is a 4-way bank conflict: 4 wavefronts per request (ideal 1)
  // CHECK: [[@LINE-2]]:30: warning: shared load is a 4-way bank conflict: 4 wavefronts per request (ideal 1)
  __syncthreads();
  G[threadIdx.x] = U[255 - threadIdx.x];
}

void launch(float *G) {
  loads<<<1000, 256>>>(G);
  loadsOfAWarp<<<1000, 256>>>(G);
  stores<<<1000, 256>>>(G);
  longRows<<<1000, 256>>>(G);
  byTurns<<<1000, 256>>>(G);
}

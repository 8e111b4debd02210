// What is counted depends on the GPU, not only its price: a bank of a Tesla K20c
// delivers two words in one pass, so that lanes two words apart do not conflict
// and eight bytes a lane need one pass.
//
// RUN: %warpwise accesses --cuda-path=none --gpu=h200 %s 2>/dev/null | FileCheck --check-prefix=H200 %s
// RUN: %warpwise accesses --cuda-path=none --gpu=k20c %s 2>/dev/null | FileCheck --check-prefix=K20C %s
// RUN: %warpwise check --cuda-path=none --gpu=h200 --fail-on=none %s 2>&1 | FileCheck --check-prefix=WARNS %s
// RUN: %warpwise check --cuda-path=none --gpu=k20c %s 2>&1 | FileCheck --check-prefix=QUIET %s
// RUN: %warpwise check --cuda-path=none --gpu=h100-pcie --fail-on=none %s 2>&1 | FileCheck --check-prefix=ASSUMED %s

// H200: "banks": 32,
// H200-NEXT: "bank_bytes": 4,
// H200-NEXT: "pass_bytes": 128,
// H200-NEXT: "assumed": []
// K20C: "banks": 32,
// K20C-NEXT: "bank_bytes": 4,
// K20C-NEXT: "pass_bytes": 256,
// K20C-NEXT: "assumed": []
// ASSUMED: profile nvidia-h100-pcie:{{.*}}; assumed: words of a bank in one pass: 1 (levels.shared.bytes_per_clock has no value)

__global__ void everySecond(float *Out) {
  __shared__ float Tile[64];
  Tile[threadIdx.x] = threadIdx.x;
  Tile[threadIdx.x + 32] = threadIdx.x;
  __syncthreads();
  // H200: "op": "load",
  // H200: "wavefronts": 2,
  // H200-NEXT: "ideal_wavefronts": 1,
  // K20C: "op": "load",
  // K20C: "wavefronts": 1,
  // K20C-NEXT: "ideal_wavefronts": 1,
  // WARNS: law-of-the-gpu.cu:[[#@LINE+2]]:{{.*}}2-way bank conflict
  // QUIET-NOT: warning:
  Out[threadIdx.x] = Tile[2 * threadIdx.x];
}

__global__ void eightBytes(double *Out) {
  __shared__ double Tile[32];
  Tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  // H200: "op": "load",
  // H200: "wavefronts": 2,
  // H200-NEXT: "ideal_wavefronts": 2,
  // K20C: "op": "load",
  // K20C: "wavefronts": 1,
  // K20C-NEXT: "ideal_wavefronts": 1,
  Out[threadIdx.x] = Tile[threadIdx.x ^ 1];
}

void launch(float *Out, double *Wide) {
  everySecond<<<1, 32>>>(Out);
  eightBytes<<<1, 32>>>(Wide);
}

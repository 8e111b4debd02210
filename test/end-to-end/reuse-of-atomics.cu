// Barriers are no traffic. Atomics and asynchronous copies are functions of
// CUDA's headers, but belong to the lines that call them.
//
// RUN: %warpwise reuse --quiet --cuda-path=none --format=json %s \
// RUN:   | %python -c 'import json, sys; [print(site["file"].split("/")[-1], site["line"], site["atomic_requests"], site["load_requests"]) for l in json.load(sys.stdin)["launches"] for site in l["sites"]]' \
// RUN:   | FileCheck %s --match-full-lines --implicit-check-not=.h

__global__ void add(float *O) {
  __shared__ float S[256];
  // CHECK-DAG: reuse-of-atomics.cu [[#@LINE+1]] 0 {{[1-9].*}}
  S[threadIdx.x] = O[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
  // CHECK-DAG: reuse-of-atomics.cu [[#@LINE+1]] {{[1-9].*}} 0
  atomicAdd(&O[threadIdx.x], S[255 - threadIdx.x]);
}

int main() {
  float *O;
  cudaMalloc(&O, 1 << 22);
  add<<<4096, 256>>>(O);
}

// A copy reads every sector once: no load can hit, and each sector goes to DRAM.
// RUN: %warpwise reuse --quiet --cuda-path=none --gpu=nvidia-h200 %s | FileCheck %s
// RUN: %warpwise reuse --quiet --cuda-path=none --gpu=nvidia-h200 --format=json %s \
// RUN:   | FileCheck --check-prefix=JSON %s

__global__ void copy(float *Out, const float *In, int N) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    Out[I] = In[I];
}

// CHECK-LABEL: copy(float*, float const*, int)
// CHECK: grid 4096x1x1, block 256x1x1
// CHECK: L1 loads 0.00 % 131 072
// CHECK: L1 stores 0.00 % 131 072
// CHECK: DRAM reads 131 072

// JSON-DAG: "l1_load_sectors": 131072
// JSON-DAG: "schema": "warpwise-reuse/1"

int main() {
  int N = 1 << 20;
  float *In, *Out;
  cudaMalloc(&In, N * 4);
  cudaMalloc(&Out, N * 4);
  copy<<<N / 256, 256>>>(Out, In, N);
}

// A loop that fills memory waits for nothing.
//
// RUN: %warpwise check --checks='-*,cuda-memory-scalar-stream' --min-gain=0 \
// RUN:   --profile=nvidia-h200 --quiet %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not='waits for what it loads'

__global__ void fills(float *Out, float Value, int Count) {
  for (int I = blockIdx.x * blockDim.x + threadIdx.x; I < Count;
       I += gridDim.x * blockDim.x)
    Out[I] = Value;
  // CHECK: [[@LINE-1]]:{{[0-9]+}}: warning: each thread handles one element of 4 bytes at a time
}

void launch(float *Out) { fills<<<1000, 512>>>(Out, 1, 1 << 24); }

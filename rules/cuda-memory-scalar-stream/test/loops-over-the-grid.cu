// A loop that goes on by as many elements as the grid has threads is as long as
// there are data: its gain is that of many.
//
// RUN: %checkpriced --checks='-*,cuda-memory-scalar-stream' --quiet %s -- -nocudainc 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

// 2.49 times as fast for 64 MB on an H200 (test/gpu/pairs).
__global__ void clamp(float *Values, float Floor, unsigned long Count) {
  unsigned long long I = blockIdx.x * blockDim.x + threadIdx.x;
  for (; I < Count; I += gridDim.x * blockDim.x)
    Values[I] = fmaxf(Values[I], Floor);
  // CHECK: [[@LINE-1]]:{{[0-9]+}}: warning: each thread handles one element of 4 bytes at a time: {{.*}}; if its loops run long enough about 2.{{[0-9]+}}x faster
}

void launch(float *Values, unsigned long Count) {
  clamp<<<60, 1024>>>(Values, 1.5f, Count);
}

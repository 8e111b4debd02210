// What stands in for a kernel of another architecture does nothing, in blocks of
// whatever size.
//
// RUN: %checkpriced --min-gain=0 --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:
//
// CHECK: 0 warnings in 1 kernel

#if __CUDA_ARCH__ >= 300 && __CUDA_ARCH__ < 500
__global__ void hash(float *Out) { Out[blockIdx.x * 16 + threadIdx.x] = 1; }
#else
__global__ void hash(float *Out) {}
#endif

int main() { hash<<<1 << 20, 16>>>(nullptr); }

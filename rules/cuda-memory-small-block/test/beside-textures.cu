// Fetches through the texture units are requests that nobody counts.
// RUN: %checkpriced --gpu=h200 --checks='-*,cuda-memory-small-block' --min-gain=0 \
// RUN:   %s -- -nocudainc 2>&1 | FileCheck %s --implicit-check-not='no more than'
// CHECK: warning: blocks of 64 threads are small
// CHECK: note: a warp of them makes few requests and is gone

__global__ void copy(unsigned long long Image, float *Out) {
  const int X = blockIdx.x * 64 + threadIdx.x;
  float R, G, B, A;
  asm("tex.2d.v4.f32.f32 {%0, %1, %2, %3}, [%4, {%5, %6}];"
      : "=f"(R), "=f"(G), "=f"(B), "=f"(A)
      : "l"(Image), "f"(float(X)), "f"(float(blockIdx.y)));
  Out[blockIdx.y * 4096 + X] = R;
}

void run(unsigned long long Image, float *Out) {
  copy<<<dim3(64, 4096), 64>>>(Image, Out);
}

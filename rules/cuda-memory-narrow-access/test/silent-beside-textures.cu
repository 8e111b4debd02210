// A byte is stored behind nine fetches through the texture units, which take
// eight cycles of an SM each: what the byte costs beside them does not matter.
// RUN: %checkpriced --gpu=h200 --checks='-*,cuda-memory-narrow-access' \
// RUN:   %s -- -nocudainc 2>&1 | FileCheck %s
// CHECK: silent-beside-textures.cu:27:{{.*}}: warning: global store moves 1 byte per lane
// CHECK: 1 warning in 2 kernels

__device__ float fetch(unsigned long long Image, float X, float Y) {
  float R, G, B, A;
  asm("tex.2d.v4.f32.f32 {%0, %1, %2, %3}, [%4, {%5, %6}];"
      : "=f"(R), "=f"(G), "=f"(B), "=f"(A)
      : "l"(Image), "f"(X), "f"(Y));
  return R;
}

__global__ void blur(unsigned long long Image, unsigned char *Out) {
  const int X = blockIdx.x * 256 + threadIdx.x, Y = blockIdx.y;
  float Sum = 0;
  for (int J = -1; J <= 1; ++J)
    for (int I = -1; I <= 1; ++I)
      Sum += fetch(Image, X + I, Y + J);
  Out[Y * 4096 + X] = Sum;
}

__global__ void copy(const float *In, unsigned char *Out) {
  const int X = blockIdx.x * 256 + threadIdx.x, Y = blockIdx.y;
  Out[Y * 4096 + X] = In[Y * 4096 + X];
}

void run(unsigned long long Image, const float *In, unsigned char *Out) {
  blur<<<dim3(16, 4096), 256>>>(Image, Out);
  copy<<<dim3(16, 4096), 256>>>(In, Out);
}

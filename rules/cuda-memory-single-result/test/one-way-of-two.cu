// What tiles and several results a thread would both spare is said once, with the
// way that gains more. Where all lanes load from one address, results a block's
// width apart share it; where data say which address that is, nobody knows.
//
// RUN: %checkpriced --checks='-*,cuda-memory-single-result,cuda-memory-missing-reuse' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

constexpr int Pitch = 4096, Lines = 4096, Wide = 32, High = 8;

__global__ void product(const float *A, const float *B, float *Out) {
  const int X = blockIdx.x * Wide + threadIdx.x;
  const int Y = blockIdx.y * High + threadIdx.y;
  float Sum = 0;
  for (int K = 0; K < 1024; ++K)
    // CHECK: [[#@LINE+2]]:{{[0-9]+}}: warning: a thread makes {{[0-9]+}} loads from global memory for one result, and the next one along y makes 1024 of them again, as here of 'B'; about 1.{{[3-9].*}}x faster {{.*}} [cuda-memory-single-result]
    // CHECK: note: give each thread 4 results or more in a row along y,
    Sum += A[Y * 1024 + K] * B[K * Pitch + X];
  Out[Y * Pitch + X] = Sum;
}

// A warp has two rows; the next one, which has those below, stands for the next
// thread.
__global__ void narrow(const float *A, const float *B, float *Out) {
  const int X = blockIdx.x * 16 + threadIdx.x;
  const int Y = blockIdx.y * 16 + threadIdx.y;
  float Sum = 0;
  for (int K = 0; K < 1024; ++K)
    // CHECK: [[#@LINE+1]]:{{[0-9]+}}: warning: a thread makes {{[0-9]+}} loads from global memory for one result, and the next one along y makes 1024 of them again, as here of 'B'; about 1.{{.*}}x faster
    Sum += A[Y * 1024 + K] * B[K * Pitch + X];
  Out[Y * Pitch + X] = Sum;
}

__global__ void nearest(const float *Points, const float4 *Centres, int *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const float X = Points[I];
  float Least = 1e30f;
  for (int C = 0; C < 512; ++C) {
    // CHECK: [[#@LINE+2]]:{{[0-9]+}}: warning: a thread makes {{[0-9]+}} loads from global memory for one result, and the next one along x makes 512 of them again, as here of 'Centres'; about {{[1-3]\..*}}x faster
    // CHECK: note: give each thread 4 results or more a block's width apart,
    const float4 Its = Centres[C];
    Least = fminf(Least, fabsf(X * Its.x + Its.y) + Its.z * X + Its.w);
  }
  Out[I] = Least;
}

__global__ void walk(const int *Next, int *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  int At = 0;
  for (int Step = 0; Step < 16; ++Step)
    At = Next[2 * At + (I >> Step & 1)];
  Out[I] = At;
}

void launch(float *In, const int *Where, float *Out) {
  product<<<dim3(Pitch / Wide, Lines / High), dim3(Wide, High)>>>(In, In, Out);
  narrow<<<dim3(Pitch / 16, Lines / 16), dim3(16, 16)>>>(In, In, Out);
  nearest<<<4096, 256>>>(In, (const float4 *)In, (int *)Out);
  walk<<<4096, 256>>>(Where, (int *)Out);
}
// CHECK: note: 3 warnings in 4 kernels

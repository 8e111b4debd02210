// All bodies act on each one: read by all lanes alike, and by tiles.
//
// RUN: %checkpriced --explain --checks='-*,cuda-memory-missing-reuse' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

constexpr int N = 16384;

__device__ float pull(float4 A, float4 B) {
  const float X = A.x - B.x, Y = A.y - B.y, Z = A.z - B.z;
  return B.w * rsqrtf(X * X + Y * Y + Z * Z + 0.01f);
}

__global__ void before(const float4 *Bodies, float *Out) {
  const int I = blockIdx.x * 128 + threadIdx.x;
  const float4 Me = Bodies[I];
  float Sum = 0;
  for (int J = 0; J < N; ++J)
    // CHECK: [[@LINE+5]]{{.*}}: warning: a block loads each sector of 'Bodies' about {{[0-9]+}} times, and L1 looks it up each time; about 1.{{[3-9].*}}x faster {{.*}} when repaired [cuda-memory-missing-reuse]
    // CHECK: note: in a loop in which a warp loads from it 16384 times
    // CHECK: note: the kernel takes about {{.*}} bound by latency
    // CHECK: note: block is 128, from this launch
    // CHECK: note: bring tiles into shared memory, each thread one element of them, and let the block read them there
    Sum += pull(Me, Bodies[J]);
  Out[I] = Sum;
}

__global__ void after(const float4 *Bodies, float *Out) {
  __shared__ float4 Tile[128];
  const int I = blockIdx.x * 128 + threadIdx.x;
  const float4 Me = Bodies[I];
  float Sum = 0;
  for (int J = 0; J < N; J += 128) {
    Tile[threadIdx.x] = Bodies[J + threadIdx.x];
    __syncthreads();
    for (int K = 0; K < 128; ++K)
      Sum += pull(Me, Tile[K]);
    __syncthreads();
  }
  Out[I] = Sum;
}

void launch(const float4 *Bodies, float *Out) {
  before<<<N / 128, 128>>>(Bodies, Out);
  after<<<N / 128, 128>>>(Bodies, Out);
}
// CHECK: note: 1 warning in 2 kernels

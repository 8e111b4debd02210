// Blocks that each walk over all elements for a result of their own, which
// their threads put together at the end.
//
// RUN: %warpwise check --checks='-*,cuda-memory-single-result' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

constexpr int Points = 1 << 20, Queries = 4096, Block = 256;

__device__ float leastOfBlock(float Mine) {
  __shared__ float Least[Block / 32];
  for (int Far = 16; Far > 0; Far /= 2)
    Mine = fminf(Mine, __shfl_xor_sync(0xffffffff, Mine, Far));
  if (threadIdx.x % 32 == 0)
    Least[threadIdx.x / 32] = Mine;
  __syncthreads();
  for (int W = 0; W < Block / 32; ++W)
    Mine = fminf(Mine, Least[W]);
  __syncthreads();
  return Mine;
}

__device__ float apart(float2 A, float2 B) {
  return (A.x - B.x) * (A.x - B.x) + (A.y - B.y) * (A.y - B.y);
}

// Along x, where each block has a query.
__global__ void aQuery(const float2 *__restrict__ Point,
                       const float2 *__restrict__ Query,
                       float *__restrict__ Out) {
  const float2 Q = Query[blockIdx.x];
  float Least = 1e30f;
  for (int I = threadIdx.x; I < Points; I += Block)
    // CHECK: [[@LINE+2]]:32: warning: each block walks over 'Point' for a result of its own, and the next block along x over the same; about {{[23]\..*}}x faster {{.*}} when repaired [cuda-memory-single-result]
    // CHECK: note: let a block do what 4 blocks along x do now: each element that it loads serves 4 results, which its threads keep in registers until the end
    Least = fminf(Least, apart(Point[I], Q));
  Least = leastOfBlock(Least);
  if (threadIdx.x == 0)
    Out[blockIdx.x] = Least;
}

__global__ void fourQueries(const float2 *__restrict__ Point,
                            const float2 *__restrict__ Query,
                            float *__restrict__ Out) {
  float2 Q[4];
  float Least[4];
#pragma unroll
  for (int R = 0; R < 4; ++R) {
    Q[R] = Query[blockIdx.x * 4 + R];
    Least[R] = 1e30f;
  }
  for (int I = threadIdx.x; I < Points; I += Block) {
    const float2 P = Point[I];
#pragma unroll
    for (int R = 0; R < 4; ++R)
      Least[R] = fminf(Least[R], apart(P, Q[R]));
  }
#pragma unroll
  for (int R = 0; R < 4; ++R)
    Least[R] = leastOfBlock(Least[R]);
  if (threadIdx.x < 4)
    Out[blockIdx.x * 4 + threadIdx.x] = Least[threadIdx.x];
}

// Along y, where each row of blocks has a threshold; blocks along x walk over
// other scores.
__global__ void aThreshold(const float4 *__restrict__ Score,
                           const float *__restrict__ Threshold,
                           unsigned *__restrict__ Count) {
  const float From = Threshold[blockIdx.y];
  unsigned Found = 0;
  for (int I = blockIdx.x * Block + threadIdx.x; I < Points * 4;
       I += Block * gridDim.x) {
    // CHECK: [[@LINE+1]]:22: warning: each block walks over 'Score' for a result of its own, and the next block along y over the same; about {{[123]\..*}}x faster {{.*}} when repaired [cuda-memory-single-result]
    const float4 S = Score[I];
    Found += (S.x > From) + (S.y > From) + (S.z > From) + (S.w > From);
  }
  Found = __reduce_add_sync(0xffffffff, Found);
  if (threadIdx.x % 32 == 0)
    atomicAdd(&Count[blockIdx.y], Found);
}

// Each block walks over rows of its own.
__global__ void ownRows(const float4 *__restrict__ Row,
                        unsigned *__restrict__ Count) {
  unsigned Found = 0;
  for (int I = threadIdx.x; I < Points; I += Block) {
    const float4 S = Row[size_t(blockIdx.x) * Points + I];
    Found += (S.x > 0) + (S.y > 0) + (S.z > 0) + (S.w > 0);
  }
  Found = __reduce_add_sync(0xffffffff, Found);
  if (threadIdx.x % 32 == 0)
    atomicAdd(&Count[blockIdx.x], Found);
}

// Three blocks are too few to be joined.
__global__ void threeQueries(const float2 *__restrict__ Point,
                             const float2 *__restrict__ Query,
                             float *__restrict__ Out) {
  const float2 Q = Query[blockIdx.x];
  float Least = 1e30f;
  for (int I = threadIdx.x; I < Points; I += Block)
    Least = fminf(Least, apart(Point[I], Q));
  Least = leastOfBlock(Least);
  if (threadIdx.x == 0)
    Out[blockIdx.x] = Least;
}

// What the blocks walk over changes meanwhile.
__global__ void relaxed(float *Height, const float *__restrict__ Weight) {
  float Sum = 0;
  for (int I = threadIdx.x; I < Points; I += Block)
    Sum += Height[I];
  atomicAdd(&Height[blockIdx.x], Sum * Weight[blockIdx.x]);
}

void launch(const float2 *Point, const float2 *Query, float *Out,
            unsigned *Count) {
  aQuery<<<Queries, Block>>>(Point, Query, Out);
  fourQueries<<<Queries / 4, Block>>>(Point, Query, Out);
  aThreshold<<<dim3(512, 16), Block>>>((const float4 *)Point, Out, Count);
  ownRows<<<Queries, Block>>>((const float4 *)Point, Count);
  threeQueries<<<3, Block>>>(Point, Query, Out);
  relaxed<<<Queries, Block>>>(Out, (const float *)Query);
}

// CHECK: note: 2 warnings in 6 kernels

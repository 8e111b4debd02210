// What a second store writes over before anybody asks for it nvcc does not store:
// there is nothing at that place to be coalesced.
//
// RUN: %warpwise check --checks='-*,cuda-memory-uncoalesced-access' \
// RUN:   --profile=nvidia-h200 --quiet %s -- 2>&1 | FileCheck %s

struct Rows {
  float2 M[9];

  __device__ void normalise() {
    const float By = __fsqrt_rn(M[0].x * M[0].x + M[1].x * M[1].x);
    // CHECK: [[@LINE+1]]:10: warning: global store is uncoalesced
    M[0] = make_float2(M[0].x * By, M[0].y * By);
    M[1] = make_float2(M[1].x * By, M[1].y * By);
    M[2] = make_float2(M[2].x - M[0].x, M[2].y - M[1].y); // stored over
    const float Rest = __fsqrt_rn(M[2].x * M[2].x + M[3].y * M[3].y);
    M[2] = make_float2(M[2].x * Rest, M[2].y * Rest);
  }
};

// CHECK: the same at 14:10 and 17:10
__global__ void normaliseAll(Rows *All) {
  All[blockIdx.x * blockDim.x + threadIdx.x].normalise();
}

void run(Rows *All) { normaliseAll<<<1000, 256>>>(All); }

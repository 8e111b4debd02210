// What helps hangs on who uses the rest of the sectors: the same lanes later,
// other accesses, other warps, other blocks, or nobody.
//
// RUN: %warpwise check --checks='-*,cuda-memory-uncoalesced-access' \
// RUN:   --profile=nvidia-h100-pcie --quiet %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

struct Ray {
  float X, Y, Z;
  int Steps;
  float T;
};

__global__ void sameLanes(float *Out, const float *In, int N) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum = 0;
  for (int K = 0; K < N; ++K)
    Sum += In[I * N + K];
  // CHECK: [[@LINE-1]]:12: warning: global load is uncoalesced: 32 sectors per request where 'N' is large
  // CHECK: note: each lane walks along 'In' by itself: let the lanes of a warp walk side by side, or pass it through shared memory
  Out[I] = Sum;
}

// Each store moves sectors of its own, so siblings do not excuse it.
__global__ void elements(float *Out) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  for (int K = 0; K < 16; ++K)
    Out[I * 16 + K] = K;
  // CHECK: [[@LINE-1]]:21: warning: global store is uncoalesced: 32 sectors per request (ideal 4)
  // CHECK: note: store 'Out' so that the elements of neighbouring lanes lie side by side, or pass them through shared memory
}

__global__ void vectors(float *Out) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I * 2] = I;
  // CHECK: [[@LINE-1]]:14: warning: global store is uncoalesced: {{.*}}8 sectors per request (ideal 4)
  Out[I * 2 + 1] = I + 1;
  // CHECK: note: store the 8 bytes of each lane as one vector{{.*}}; the same at [[@LINE-1]]:18
}

__global__ void otherAccesses(float *Out, Ray *Rays, int N) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  Ray &Mine = Rays[I];
  float Sum = Mine.X;
  // CHECK: [[@LINE-1]]:20: warning: global load is uncoalesced: {{.*}}20 sectors per request (ideal 4)
  // CHECK: note: store the fields of 'Rays' separately (structure of arrays)
  __syncthreads();
  for (int K = 0; K < N; ++K)
    Sum += Out[K];
  Sum += Mine.Y + Mine.Z + Mine.T;
  // CHECK-SAME: ; the same at [[@LINE-1]]:15
  Out[I] = Sum;
}

// Nobody knows whether the way to the rest of the record is taken.
__global__ void behindABranch(float *Out, const Ray *Rays) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (Rays[I].Steps == 0)
    return;
  // CHECK: [[@LINE-2]]:15: warning: global load is uncoalesced: {{.*}}20 sectors per request (ideal 4)
  // CHECK: note: store the fields of 'Rays' separately (structure of arrays)
  if (Out[I] > 1 && Out[I] < 2)
    Out[I] = Rays[I].X + Rays[I].Y + Rays[I].Z;
  // CHECK-SAME: ; the same at [[@LINE-1]]:22
}

__global__ void otherWarps(float *Out) {
  Out[threadIdx.x * 64 + threadIdx.y] = 1;
  // CHECK: [[@LINE-1]]:39: warning: global store is uncoalesced: 32 sectors per request (ideal 4)
  // CHECK: note: other warps use the rest of these sectors: let threadIdx.x run along the fastest dimension of 'Out', or transpose it through shared memory
}

__global__ void otherBlocks(float *Out, const float *In, int N) {
  Out[blockIdx.x] = In[threadIdx.x * N + blockIdx.x];
  // CHECK: [[@LINE-1]]:21: warning: global load is uncoalesced: 32 sectors per request where 'N' is large (ideal 4)
  // CHECK: note: neighbouring blocks use the rest of these sectors: let threadIdx.x run along the fastest dimension of 'In'
}

// Another order of the indices would spoil what is stored.
__global__ void otherBlocksAcross(float *Out, const float *In, int N) {
  Out[blockIdx.x * 256 + threadIdx.x] = In[threadIdx.x * N + blockIdx.x];
  // CHECK: [[@LINE-1]]:41: warning: global load is uncoalesced: 32 sectors per request where 'N' is large (ideal 4)
  // CHECK: note: 'In' lies across the warps and other arrays along them: pass tiles of it through shared memory, so that neighbouring lanes load neighbouring elements
}

__global__ void lastOfEachRow(float *Out, const float *In) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = In[I * 1024 + 1023];
  // CHECK: [[@LINE-1]]:12: warning: global load is uncoalesced: 32 sectors per request (ideal 4)
  // CHECK: note: neither the block nor those beside it use the rest of these sectors: let neighbouring lanes use neighbouring elements of 'In', or keep what is used of it side by side
}

// The arms of a branch share the warp's elements.
__global__ void arms(float *Out, const float *In) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x % 2)
    Out[I] = In[I] + 1;
  // CHECK: [[@LINE-1]]:12: warning: global store is uncoalesced: {{.*}}4 sectors per request (ideal 2)
  // CHECK: note: other accesses serve the lanes between: choose the value in the branch, and store once after it
  else
    Out[I] = 0;
  // CHECK-SAME: ; the same at [[@LINE-1]]:12
}

// Rows of 9 elements, as many as data say: the lane comes back to a sector in
// the next round but one of the loops around, beside what its sibling uses.
__global__ void matrices(double *Out, const double *In, const int *Sizes) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const double *Mine = In + I * 81;
  const int N = Sizes[I];
  double Sum = 0;
  for (int A = 0; A < N; ++A)
    for (int B = 0; B < N; ++B)
      for (int C = 0; C < N; ++C)
        for (int D = 0; D < N; ++D)
          Sum += Mine[A * 9 + B] * Mine[C * 9 + D];
  // CHECK: [[@LINE-1]]:18: warning: global load is uncoalesced: up to 32 sectors per request (ideal 8); together with the requests that share its sectors {{[0-9.]+}} times the ideal
  // CHECK: note: each lane walks along 'In' by itself
  Out[I] = Sum;
}

void launch(float *Out, const float *In, Ray *Rays, int N, double *Sums,
            const double *Matrices, const int *Sizes) {
  sameLanes<<<64, 256>>>(Out, In, N);
  elements<<<64, 256>>>(Out);
  vectors<<<64, 256>>>(Out);
  otherAccesses<<<64, 256>>>(Out, Rays, N);
  behindABranch<<<64, 256>>>(Out, Rays);
  otherWarps<<<1, dim3(32, 8)>>>(Out);
  otherBlocks<<<64, 256>>>(Out, In, N);
  otherBlocksAcross<<<64, 256>>>(Out, In, N);
  lastOfEachRow<<<64, 256>>>(Out, In);
  arms<<<64, 256>>>(Out, In);
  matrices<<<64, 256>>>(Sums, Matrices, Sizes);
}

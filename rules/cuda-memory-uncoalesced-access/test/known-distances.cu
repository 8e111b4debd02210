// A distance is unknown only where it hangs on something unknown: not where
// only the start of all lanes does, and not within rows that lie a pitch apart.
//
// RUN: %warpwise check --checks='-*,cuda-memory-uncoalesced-access' \
// RUN:   --profile=nvidia-h100-pcie --quiet %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

struct Vector {
  float X, Y, Z;
};

__global__ void records(Vector *Out, const float *In, int N, int First) {
  unsigned long long Rank =
      (blockIdx.y * (unsigned long long)gridDim.x + blockIdx.x) * blockDim.x +
      threadIdx.x + First;
  int I = Rank; // shifts to the left and back again in the compiler's code
  if (I >= N || !(In[I] > 0))
    return;
  Vector *Mine = Out + I;
  Mine->X = 1;
  // CHECK: [[@LINE-1]]:11: warning: global store is uncoalesced: up to 12 sectors
  // CHECK: note: in the costliest request of 'Out', neighbouring lanes are 12 bytes apart
  Mine->Y = 2;
  Mine->Z = 3;
  // CHECK: {{note: .*}}the same at [[@LINE-2]]:11 and [[@LINE-1]]:11
}

__global__ void rows(float *Out, int Pitch) {
  int Column = threadIdx.x % 8, Row = threadIdx.x / 8;
  Out[Row * Pitch + 2 * Column] = 0;
  // CHECK: [[@LINE-1]]:33: warning: global store is uncoalesced
  // CHECK: note: in the costliest request of 'Out', rows of 8 lanes, 8 bytes apart in a row, an unknown distance from row to row
}

__global__ void columns(float *Out, int Pitch) {
  Out[threadIdx.x * Pitch + blockIdx.x] = 0;
  // CHECK: [[@LINE-1]]:41: warning: global store is uncoalesced
  // CHECK: note: in the costliest request of 'Out', neighbouring lanes are an unknown distance apart
}

void launch(Vector *Out, float *Of, const float *In, int N, int Pitch) {
  records<<<(N + 255) / 256, 256>>>(Out, In, N, Pitch);
  rows<<<(N + 255) / 256, 256>>>(Of, Pitch);
  columns<<<1, 256>>>(Of, Pitch);
}

// A wider block puts neighbours beside rows of lanes that end within a sector, also
// where each lane moves two elements of them. It does nothing for records, whose
// lanes are as far apart in a long row, nor for rows that all lanes share.
//
// RUN: %checkpriced --min-gain=0 --checks='-*,cuda-memory-uncoalesced-access' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

__device__ int at(int Pitch) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x;
  const int Y = blockIdx.y * blockDim.y + threadIdx.y;
  return Y * Pitch + X;
}

__global__ void pairs(unsigned char *Out, const float *In, int Pitch) {
  const int I = at(4096);
  // CHECK: [[@LINE+2]]:14: warning: global store is uncoalesced: {{.*}}4 sectors per request
  // CHECK: note: make the block 32 threads wide
  Out[2 * I] = In[I / 4096 * 8] > 0;
  Out[2 * I + 1] = In[I / 4096 * 8] > 1;
}

struct Position {
  float X, Y, Z;
};
__global__ void records(Position *Out, float Step) {
  const int I = at(4096);
  // CHECK: [[@LINE+2]]:10: warning: global store is uncoalesced: {{.*}}12 sectors per request
  // CHECK-NOT: make the block
  Out[I] = {I * Step, Step, I + Step};
}

int main() {
  pairs<<<dim3(512, 1024), dim3(8, 32)>>>(nullptr, nullptr, 0);
  records<<<dim3(256, 1024), dim3(16, 8)>>>(nullptr, 1);
}

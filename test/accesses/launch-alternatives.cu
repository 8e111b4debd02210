// A condition on an argument leaves two launches, not one.
//
// RUN: %warpwise accesses --cuda-path=none --gpu=nvidia-h200 %s 2>/dev/null \
// RUN:   | FileCheck %s
// RUN: %warpwise check --cuda-path=none --gpu=nvidia-h200 %s 2>/dev/null \
// RUN:   | FileCheck %s --check-prefix=FINDING

extern "C" int atoi(const char *);

// The general one comes first; in it all lanes are active.
// CHECK-LABEL: "name": "walk(float const*, float*, int)"
// CHECK: "grid": null,
// CHECK: "when": "otherwise"
// CHECK: "grid": [
// CHECK-NEXT: 4,
// CHECK: "when": "Count is 1"
// CHECK: "object": "In"
// CHECK: "launch": 0,
// CHECK: "active_lanes": 32,
// CHECK-NEXT: "sectors": 32,
// CHECK: "launch": 1,
// CHECK: "active_lanes": 1,
// CHECK-NEXT: "sectors": 1,
__global__ void walk(const float *In, float *Out, int Count) {
  int T = blockIdx.x * 32 + threadIdx.x;
  if (T < Count)
    for (int K = 0; K < 91; ++K)
      Out[T * 91 + K] = 2 * In[T * 91 + K];
}
// FINDING: launch-alternatives.cu:[[#@LINE-2]]:{{.*}} global store is uncoalesced: likely 32 sectors
// FINDING: under block 32 (launch-alternatives.cu:[[#@LINE+16]], otherwise); clean under 32 (launch-alternatives.cu:[[#@LINE+16]], when Count is 1)

void work(int Count) {
  float *In, *Out;
  dim3 Grid, Block;
  cudaMalloc(&In, Count * 91 * sizeof(float));
  cudaMalloc(&Out, Count * 91 * sizeof(float));
  if (Count == 1) {
    Block.x = 32;
    Grid.x = 4;
  } else {
    Block.x = 32;
    Grid.x = Count / Block.x;
    if (Count % Block.x != 0)
      Grid.x = Grid.x + 1;
  }
  walk<<<Grid, Block>>>(In, Out, Count);
}

// The members stand in the host code, and so do the numbers that the access
// depends on.
// CHECK-LABEL: "name": "turned(float const*, float*, Turn)"
// CHECK: "when": null
// CHECK: "object": "In"
// CHECK: "proof": "exact"
// CHECK: "sectors": 32,
struct Turn {
  float Scale, Shift;
  int Width;
};
__global__ void turned(const float *In, float *Out, Turn T) {
  int I = threadIdx.x;
  Out[I] = In[(int)(T.Scale * I + T.Shift) * T.Width];
}

// A lambda uses the constants around it without capturing them.
// CHECK-LABEL: "name": "fill(float*, int)"
// CHECK: "grid": [
// CHECK-NEXT: 4096,
__global__ void fill(float *P, int N) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    P[I] = 1;
}

int main(int Number, char **Words) {
  work(atoi(Words[1]));
  constexpr int N = 1 << 20;
  const int Block = 256;
  float *P;
  cudaMalloc(&P, N * sizeof(float));
  auto Run = [&] { fill<<<N / Block, Block>>>(P, N); };
  Run();
  Turn T = {2.0f, 4.0f, 8};
  turned<<<1, 32>>>(P, P, T);
}

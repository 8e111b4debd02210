// The cause is the index, also where the optimiser has moved its computation;
// a class without an array is none, and what nobody can name is not said.
//
// RUN: %warpwise check --checks='-*,cuda-memory-local-array' \
// RUN:   --profile=nvidia-h100 --quiet --no-nvcc %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

__device__ float reduce(float V) {
  for (int M = 16; M; M /= 2)
    V += __shfl_xor_sync(~0u, V, M);
  return V;
}

__global__ void scores(float *Out, const float *In, int T) {
  unsigned Lane = threadIdx.x % 32;
  for (int Row = blockIdx.x; Row < T; ++Row) {
    float Result[4] = {};
    // CHECK: [[@LINE-1]]: warning: private array 'Result' stays in local memory in Clang's view: {{.*}} because index 'Lane' is not a constant
    // CHECK: note: unroll the loops around it, or select elements of 'Result' with constant indices
    for (int I = Lane; I <= Row; I += 32)
      for (int K = 0; K < 4; ++K) {
        if (Row < K)
          continue;
        Result[K] += In[Row * T + I] * K;
      }
    for (int K = 0; K < 4; ++K)
      Result[K] = reduce(Result[K]);
    if (Lane < 4)
      Out[Row * T + Lane] = 3 * Result[Lane];
  }
}

__device__ float descend(float *Of, int Depth) {
  if (Depth == 0)
    return Of[0];
  Of[Depth & 1] += descend(Of, Depth - 1);
  return Of[1];
}

__global__ void recursive(float *Out, int Depth) {
  float Of[2] = {float(Depth), 1};
  // CHECK: [[@LINE-1]]: warning: private array 'Of' stays in local memory in Clang's view: {{.*}} because its address is passed to 'descend'
  // CHECK: note: 'descend' calls itself: make a loop of it to have it inlined
  Out[threadIdx.x] = descend(Of, Depth);
}

struct Handle {
  int Data[2];
};
struct Group {
  const Handle &Its;
  volatile int *Arrived;
};
__global__ void handles(int *Out) {
  Handle Mine{{1, 2}};
  Group All{Mine, Out};
  asm volatile("// %0" ::"l"(&All) : "memory");
}

void launch(float *Out, const float *In, int T) {
  scores<<<T, 128>>>(Out, In, T);
  recursive<<<1, 128>>>(Out, T);
  handles<<<1, 128>>>((int *)Out);
}

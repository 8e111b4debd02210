// An index that data decides stays what it is, however loops are written: no
// advice to unroll them. What helps is comparisons or shared memory, and where
// there is no room for either nothing does.
//
// RUN: %warpwise check --checks='-*,cuda-memory-local-array' \
// RUN:   --profile=nvidia-h100-pcie --quiet --no-nvcc %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning: --implicit-check-not='unroll the loops'

__global__ void traverse(int *Out, const int2 *Nodes) {
  int Stack[24], Depth = 0, Sum = 0;
  // CHECK: [[@LINE-1]]: warning: private array 'Stack' stays in local memory
  // CHECK: note: keep 'Stack' in shared memory, with a column for each thread
  Stack[Depth++] = threadIdx.x;
  while (Depth > 0) {
    const int2 Node = Nodes[Stack[--Depth]];
    if (Node.x >= 0) {
      Stack[Depth++] = Node.x;
      Stack[Depth++] = Node.y;
    } else {
      Sum += Node.y;
    }
  }
  Out[threadIdx.x] = Sum;
}

__global__ void counts(int *Out, const int *In, int N) {
  int Bins[12] = {};
  // CHECK: [[@LINE-1]]: warning: private array 'Bins' stays in local memory
  // CHECK: note: compare the index with each of 12 constants, so that 'Bins' stays in registers, or keep it in shared memory with a column for each thread
  for (int I = threadIdx.x; I < N; I += 128)
    ++Bins[In[I] % 12];
  for (int K = 0; K < 12; ++K)
    Out[K * 128 + threadIdx.x] = Bins[K];
}

__global__ void large(int *Out, const int *In, int N) {
  int Bins[400] = {};
  for (int I = threadIdx.x; I < N; I += 128)
    ++Bins[In[I] % 400];
  for (int K = 0; K < 400; ++K)
    Out[K * 128 + threadIdx.x] = Bins[K];
}

void launch(int *Out, const int *In, const int2 *Nodes, int N) {
  traverse<<<64, 128>>>(Out, Nodes);
  counts<<<64, 128>>>(Out, In, N);
  large<<<64, 128>>>(Out, In, N);
}

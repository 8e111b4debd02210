// Records whose length is an argument and whose members have numbers: they are
// likely no longer than the last member that is asked for says, and as long as
// the number that their length is compared with. A matrix whose columns a loop
// counts has a pitch that nobody knows.
//
// RUN: %warpwise check --checks='-*,cuda-memory-uncoalesced-access' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

__global__ void update(int N, float *__restrict__ Cells, int Members) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= N)
    return;
  float *Cell = Cells + Members * I;
  // CHECK: [[@LINE+1]]:7: warning: global load is uncoalesced: likely 24 sectors per request (ideal 4), 640 of their bytes unused by it
  if (Cell[5] > 0)
    // CHECK: [[@LINE+1]]:13: warning: global store is uncoalesced: up to 24 sectors per request (ideal 4)
    Cell[5] -= Cell[1];
}

__global__ void fifth(int N, const float *__restrict__ Points, int Members,
                      float *__restrict__ Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= N)
    return;
  if (Members == 5)
    // CHECK: [[@LINE+1]]:14: warning: global load is uncoalesced: likely 20 sectors per request (ideal 4)
    Out[I] = Points[Members * I + 4];
}

__global__ void rows(int N, const float *__restrict__ Matrix, int Columns,
                     float *__restrict__ Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= N)
    return;
  float Sum = 0;
  for (int K = 0; K < Columns; K += 100)
    // CHECK: [[@LINE+1]]:12: warning: global load is uncoalesced: 32 sectors per request where 'Columns' is large (ideal 4)
    Sum += Matrix[I * Columns + K];
  Out[I] = Sum;
}

void launch(int N, float *Cells, int Members, float *Out) {
  update<<<(N + 255) / 256, 256>>>(N, Cells, Members);
  fifth<<<(N + 255) / 256, 256>>>(N, Cells, Members, Out);
  rows<<<(N + 255) / 256, 256>>>(N, Cells, Members, Out);
}

// CHECK: note: 4 warnings in 3 kernels

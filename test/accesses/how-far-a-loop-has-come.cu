// Data decide where the loop begins, but how far it has come is the same for
// all lanes: the private array that this indexes is read side by side.
//
// RUN: %warpwise accesses --gpu=nvidia-h200 --quiet %s | FileCheck %s

__global__ void weighted(float *Out, const float *At, const float *Weights,
                         int Width) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Mine[16];
  for (int J = 0; J < Width; ++J)
    Mine[J] = Weights[I * 16 + J];
  int First = int(At[I]);
  float Sum = 0;
  for (int X = First; X <= First + Width; ++X)
    // CHECK: "line": [[@LINE+4]],
    // CHECK-NEXT: "column"
    // CHECK-NEXT: "space": "local",
    // CHECK: "sectors": 4,
    Sum += Mine[X - First];
  Out[I] = Sum;
}

void launch(float *Out, const float *At, const float *Weights, int Width) {
  weighted<<<4096, 256>>>(Out, At, Weights, Width);
}

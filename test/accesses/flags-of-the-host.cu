// A flag of the host code decides the block and the kernel: once it is taken to
// hold it holds in all that comes, so no launch is put together of both sides.
//
// RUN: %warpwise accesses --gpu=nvidia-h200 %s -- 2>/dev/null | FileCheck %s

// CHECK-LABEL: "name": "plain(
// CHECK: "block": [
// CHECK-NEXT: 256,
// CHECK-NOT: "block": [
__global__ void plain(float *Out) { Out[threadIdx.x] = 1; }

// CHECK-LABEL: "name": "void turned<true>(
// CHECK: "block": [
// CHECK-NEXT: 8,
// CHECK-NEXT: 32,
// CHECK-NOT: "block": [
// CHECK-LABEL: "name": "void turned<false>(
// CHECK: "block": [
// CHECK-NEXT: 32,
// CHECK-NEXT: 8,
// CHECK-NOT: "block": [
template <bool Swapped>
__global__ void turned(const float *In, float *Out, int Rows, int Columns) {
  const int X = blockIdx.x * 32 + (Swapped ? threadIdx.y : threadIdx.x);
  const int Y = blockIdx.y * 32 + (Swapped ? threadIdx.x : threadIdx.y);
  if (X < Columns && Y < Rows)
    Out[X * Rows + Y] = In[Y * Columns + X];
}

struct Options {
  bool IsPlain;
};

void launch(const float *In, float *Out, int Rows, int Columns, Options How) {
  const bool Swapped = Columns < Rows;
  const dim3 Block(Swapped ? 8 : 32, Swapped ? 32 : 8);
  const dim3 Grid((Columns + 31) / 32, (Rows + 31) / 32);
  if (Swapped)
    turned<true><<<Grid, Block>>>(In, Out, Rows, Columns);
  else
    turned<false><<<Grid, Block>>>(In, Out, Rows, Columns);
  const int Threads = !How.IsPlain ? 32 : 256;
  if (How.IsPlain)
    plain<<<1, Threads>>>(Out);
}

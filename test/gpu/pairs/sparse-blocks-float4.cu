// Rule: cuda-memory-narrow-access
// A sparse matrix of blocks of 4 x 4, eight of them a row, a thread for each
// row of numbers: four floats of a block's row one by one, or as a vector.
// Options: --buffer=Column=random,count=524288,below=65536
#include "Pair.cuh"

constexpr int Rows = 65536, Each = 8;

__global__ void before(const int *Column, const float *Block, const float *X,
                       float *Y) {
  const int I = blockIdx.x * 256 + threadIdx.x;
  const int Row = I / 4, R = I % 4;
  float Sum = 0;
  for (int K = 0; K < Each; ++K) {
    const int B = Row * Each + K, From = 4 * Column[B];
    for (int C = 0; C < 4; ++C)
      Sum += Block[16 * B + 4 * R + C] * X[From + C];
  }
  Y[I] = Sum;
}

__global__ void after(const int *Column, const float4 *Block, const float4 *X,
                      float *Y) {
  const int I = blockIdx.x * 256 + threadIdx.x;
  const int Row = I / 4, R = I % 4;
  float Sum = 0;
  for (int K = 0; K < Each; ++K) {
    const int B = Row * Each + K;
    const float4 Left = Block[4 * B + R], Right = X[Column[B]];
    Sum += Left.x * Right.x + Left.y * Right.y + Left.z * Right.z +
           Left.w * Right.w;
  }
  Y[I] = Sum;
}

int main() {
  const int *Column = input<int>(Rows * Each, Rows);
  const float *Block = input<float>(Rows * Each * 16),
              *X = input<float>(4 * Rows);
  float *Expected = output<float>(4 * Rows), *Out = output<float>(4 * Rows);
  Pair P("sparse-blocks-float4");
  P.same(Expected, Out, 4 * Rows);
  while (P.next())
    if (P.beforesTurn())
      before<<<4 * Rows / 256, 256>>>(Column, Block, X, Expected);
    else
      after<<<4 * Rows / 256, 256>>>(Column, (const float4 *)Block,
                                     (const float4 *)X, Out);
}

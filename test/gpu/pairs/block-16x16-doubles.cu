// Rule: cuda-memory-block-shape
// A warp of a 16x16 block covers two rows of doubles, a whole line of each:
// nothing to gain.
#include "Pair.cuh"

constexpr int Width = 4096, Height = 2048;

__global__ void before(const double *A, const double *B, double *Out) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x;
  const int Y = blockIdx.y * blockDim.y + threadIdx.y;
  Out[Y * Width + X] = A[Y * Width + X] + 2 * B[Y * Width + X];
}

__global__ void after(const double *A, const double *B, double *Out) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x;
  const int Y = blockIdx.y * blockDim.y + threadIdx.y;
  Out[Y * Width + X] = A[Y * Width + X] + 2 * B[Y * Width + X];
}

int main() {
  const double *A = input<double>(Width * Height),
               *B = input<double>(Width * Height);
  double *Expected = output<double>(Width * Height),
         *Out = output<double>(Width * Height);
  Pair P("block-16x16-doubles");
  P.same(Expected, Out, Width * Height);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Width / 16, Height / 16), dim3(16, 16)>>>(A, B, Expected);
    else
      after<<<dim3(Width / 32, Height / 8), dim3(32, 8)>>>(A, B, Out);
}

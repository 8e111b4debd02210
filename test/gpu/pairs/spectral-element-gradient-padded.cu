// Rule: cuda-memory-bank-conflict
// Gradient of a field on spectral elements of 8 x 8 x 8 points, a block for
// each: the rows of the derivative matrix in shared memory get a column of
// padding, since lanes with different rows read the same column.
#include "Pair.cuh"

constexpr int Elements = 4096, Order = 8, Points = Order * Order * Order;

template <int Pitch>
__device__ void gradient(const double *__restrict__ Field,
                         const double *__restrict__ Matrix,
                         double *__restrict__ Out) {
  __shared__ double U[Order][Order][Order], D[Order][Pitch];
  const int I = threadIdx.x, J = threadIdx.y, K = threadIdx.z;
  const int Point = (K * Order + J) * Order + I;
  const size_t Place = size_t(blockIdx.x) * Points + Point;
  U[K][J][I] = Field[Place];
  if (K == 0)
    D[J][I] = Matrix[J * Order + I];
  __syncthreads();
  double X = 0, Y = 0, Z = 0;
#pragma unroll
  for (int M = 0; M < Order; ++M) {
    X += D[I][M] * U[K][J][M];
    Y += D[J][M] * U[K][M][I];
    Z += D[K][M] * U[M][J][I];
  }
  Out[Place] = X;
  Out[Place + size_t(Elements) * Points] = Y;
  Out[Place + size_t(Elements) * Points * 2] = Z;
}

__global__ void before(const double *__restrict__ Field,
                       const double *__restrict__ Matrix,
                       double *__restrict__ Out) {
  gradient<Order>(Field, Matrix, Out);
}

__global__ void after(const double *__restrict__ Field,
                      const double *__restrict__ Matrix,
                      double *__restrict__ Out) {
  gradient<Order + 1>(Field, Matrix, Out);
}

int main() {
  constexpr size_t Count = size_t(Elements) * Points;
  const double *Field = input<double>(Count),
               *Matrix = input<double>(Order * Order);
  double *Expected = output<double>(3 * Count),
         *Out = output<double>(3 * Count);
  Pair P("spectral-element-gradient-padded");
  P.same(Expected, Out, 3 * Count);
  const dim3 Block(Order, Order, Order);
  while (P.next())
    if (P.beforesTurn())
      before<<<Elements, Block>>>(Field, Matrix, Expected);
    else
      after<<<Elements, Block>>>(Field, Matrix, Out);
}

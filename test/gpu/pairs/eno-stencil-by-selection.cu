// Rule: cuda-memory-local-array
// Third-order ENO reconstruction at the right faces of finite volumes: the
// smoothest three of five cell means, from a local array by an index that is
// known only at run time, or from registers by selections.
#include "Pair.cuh"

constexpr int Width = 2000, Height = 1500, N = Width * Height;

__device__ double face(int First, double A, double B, double C) {
  if (First == 2)
    return (2 * A + 5 * B - C) * (1 / 6.0);
  if (First == 1)
    return (5 * B + 2 * C - A) * (1 / 6.0);
  return (2 * A - 7 * B + 11 * C) * (1 / 6.0);
}

__global__ void before(const double *__restrict__ Means,
                       double *__restrict__ Faces) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x, Y = blockIdx.y;
  if (X >= Width)
    return;
  double U[5];
  for (int K = 0; K < 5; ++K)
    U[K] = Means[Y * Width + min(max(X + K - 2, 0), Width - 1)];
  int First = 2;
  if (fabs(U[First] - U[First - 1]) < fabs(U[First + 1] - U[First]))
    --First;
  if (fabs(U[First + 1] - 2 * U[First] + U[First - 1]) <
      fabs(U[First + 2] - 2 * U[First + 1] + U[First]))
    --First;
  Faces[Y * Width + X] = face(First, U[First], U[First + 1], U[First + 2]);
}

__global__ void after(const double *__restrict__ Means,
                      double *__restrict__ Faces) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x, Y = blockIdx.y;
  if (X >= Width)
    return;
  double U[5];
  for (int K = 0; K < 5; ++K)
    U[K] = Means[Y * Width + min(max(X + K - 2, 0), Width - 1)];
  const bool Left = fabs(U[2] - U[1]) < fabs(U[3] - U[2]);
  const double Lower = fabs(U[2] - 2 * U[1] + U[0]),
               Middle = fabs(U[3] - 2 * U[2] + U[1]),
               Upper = fabs(U[4] - 2 * U[3] + U[2]);
  const bool Again = Left ? Lower < Middle : Middle < Upper;
  const int First = 2 - Left - Again;
  const double A = First == 2   ? U[2]
                   : First == 1 ? U[1]
                                : U[0],
               B = First == 2   ? U[3]
                   : First == 1 ? U[2]
                                : U[1],
               C = First == 2   ? U[4]
                   : First == 1 ? U[3]
                                : U[2];
  Faces[Y * Width + X] = face(First, A, B, C);
}

int main() {
  const double *Means = input<double>(N);
  double *Expected = output<double>(N), *Out = output<double>(N);
  Pair P("eno-stencil-by-selection");
  P.same(Expected, Out, N);
  const dim3 Grid((Width + 255) / 256, Height);
  while (P.next())
    if (P.beforesTurn())
      before<<<Grid, 256>>>(Means, Expected);
    else
      after<<<Grid, 256>>>(Means, Out);
}

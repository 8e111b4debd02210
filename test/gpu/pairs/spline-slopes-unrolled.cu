// Rule: cuda-memory-local-array
// Second derivatives of natural cubic splines through twelve knots, a curve per
// thread, by the Thomas algorithm: the number of knots is an argument, which
// leaves two arrays in local memory, or a template's, which unrolls the loops.
#include "Pair.cuh"

constexpr int Curves = 1 << 18, Knots = 12, MostKnots = 16;

__device__ float width(float Left, float Right) {
  return 1.0f + 0.5f * (Right - Left);
}

__global__ void before(const float *__restrict__ X, const float *__restrict__ Y,
                       float *__restrict__ Bend, int KnotCount) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float C[MostKnots], D[MostKnots];
  C[0] = D[0] = 0;
  float X1 = X[Curves + I], Y1 = Y[Curves + I];
  float H = width(X[I], X1), Slope = (Y1 - Y[I]) / H;
  for (int K = 1; K < KnotCount - 1; ++K) {
    const float X2 = X[(K + 1) * Curves + I], Y2 = Y[(K + 1) * Curves + I];
    const float Next = width(X1, X2), NextSlope = (Y2 - Y1) / Next;
    const float Pivot = 1.0f / (2 * (H + Next) - H * C[K - 1]);
    C[K] = Next * Pivot;
    D[K] = (6 * (NextSlope - Slope) - H * D[K - 1]) * Pivot;
    X1 = X2;
    Y1 = Y2;
    H = Next;
    Slope = NextSlope;
  }
  float Last = 0;
  Bend[(KnotCount - 1) * Curves + I] = 0;
  for (int K = KnotCount - 2; K >= 0; --K) {
    Last = D[K] - C[K] * Last;
    Bend[K * Curves + I] = Last;
  }
}

template <int KnotCount>
__global__ void after(const float *__restrict__ X, const float *__restrict__ Y,
                      float *__restrict__ Bend) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float C[KnotCount], D[KnotCount];
  C[0] = D[0] = 0;
  float X1 = X[Curves + I], Y1 = Y[Curves + I];
  float H = width(X[I], X1), Slope = (Y1 - Y[I]) / H;
#pragma unroll
  for (int K = 1; K < KnotCount - 1; ++K) {
    const float X2 = X[(K + 1) * Curves + I], Y2 = Y[(K + 1) * Curves + I];
    const float Next = width(X1, X2), NextSlope = (Y2 - Y1) / Next;
    const float Pivot = 1.0f / (2 * (H + Next) - H * C[K - 1]);
    C[K] = Next * Pivot;
    D[K] = (6 * (NextSlope - Slope) - H * D[K - 1]) * Pivot;
    X1 = X2;
    Y1 = Y2;
    H = Next;
    Slope = NextSlope;
  }
  float Last = 0;
  Bend[(KnotCount - 1) * Curves + I] = 0;
#pragma unroll
  for (int K = KnotCount - 2; K >= 0; --K) {
    Last = D[K] - C[K] * Last;
    Bend[K * Curves + I] = Last;
  }
}

int main() {
  const float *X = input<float>(Knots * Curves),
              *Both = input<float>(2 * Knots * Curves),
              *Y = Both + Knots * Curves;
  float *Expected = output<float>(Knots * Curves),
        *Out = output<float>(Knots * Curves);
  Pair P("spline-slopes-unrolled");
  P.same(Expected, Out, Knots * Curves);
  while (P.next())
    if (P.beforesTurn())
      before<<<Curves / 128, 128>>>(X, Y, Expected, Knots);
    else
      after<Knots><<<Curves / 128, 128>>>(X, Y, Out);
}

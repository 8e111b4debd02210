// Rule: cuda-memory-redundant-round-trip
// Four sums of a column that each round stores, or that are stored once.
#include "Pair.cuh"

constexpr int Columns = 1 << 16, Rows = 64;

__global__ void before(const float *In, float *Sum, float *Squares,
                       float *Least, float *Most) {
  const int C = blockIdx.x * blockDim.x + threadIdx.x;
  Sum[C] = Squares[C] = 0;
  Least[C] = Most[C] = In[C];
  for (int R = 0; R < Rows; ++R) {
    const float X = In[R * Columns + C];
    Sum[C] += X;
    Squares[C] += X * X;
    Least[C] = fminf(Least[C], X);
    Most[C] = fmaxf(Most[C], X);
  }
}

__global__ void after(const float *In, float *Sum, float *Squares, float *Least,
                      float *Most) {
  const int C = blockIdx.x * blockDim.x + threadIdx.x;
  float S = 0, Q = 0, L = In[C], M = L;
  for (int R = 0; R < Rows; ++R) {
    const float X = In[R * Columns + C];
    S += X;
    Q += X * X;
    L = fminf(L, X);
    M = fmaxf(M, X);
  }
  Sum[C] = S;
  Squares[C] = Q;
  Least[C] = L;
  Most[C] = M;
}

int main() {
  const float *In = input<float>(Columns * Rows);
  float *A[4], *B[4];
  Pair P("round-trip-of-sums");
  for (int I = 0; I < 4; ++I) {
    A[I] = output<float>(Columns);
    B[I] = output<float>(Columns);
    P.same(A[I], B[I], Columns);
  }
  while (P.next())
    if (P.beforesTurn())
      before<<<Columns / 128, 128>>>(In, A[0], A[1], A[2], A[3]);
    else
      after<<<Columns / 128, 128>>>(In, B[0], B[1], B[2], B[3]);
}

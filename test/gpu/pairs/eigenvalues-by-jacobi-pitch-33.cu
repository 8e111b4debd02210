// Rule: cuda-memory-bank-conflict
// Two sweeps of Jacobi rotations over symmetric matrices of 32 by 32, a warp
// each, in shared memory. A rotation mixes two rows, then two columns, whose
// elements lie a pitch of 32 or of 33 floats apart.
#include "Pair.cuh"

constexpr int N = 32, Matrices = 2048, Warps = 4, Sweeps = 2;

template <int Pitch>
__device__ void load(float (*A)[Pitch], const float *__restrict__ In,
                     int Lane) {
  for (int Row = 0; Row < N; ++Row) {
    const float V = In[min(Row, Lane) * N + max(Row, Lane)];
    A[Row][Lane] = Row == Lane ? V + 1 : V - 0.5f;
  }
  __syncwarp();
}

template <int Pitch>
__device__ void rotate(float (*A)[Pitch], int P, int Q, int Lane) {
  const float App = A[P][P], Aqq = A[Q][Q], Apq = A[P][Q];
  const float RowP = A[P][Lane], RowQ = A[Q][Lane];
  __syncwarp();
  if (fabsf(Apq) < 1e-9f)
    return;
  const float Theta = (Aqq - App) / (2 * Apq);
  const float T =
      copysignf(1.f, Theta) / (fabsf(Theta) + sqrtf(Theta * Theta + 1));
  const float C = rsqrtf(T * T + 1), S = T * C;
  A[P][Lane] = C * RowP - S * RowQ;
  A[Q][Lane] = S * RowP + C * RowQ;
  __syncwarp();
  const float ColumnP = A[Lane][P], ColumnQ = A[Lane][Q];
  A[Lane][P] = C * ColumnP - S * ColumnQ;
  A[Lane][Q] = S * ColumnP + C * ColumnQ;
  __syncwarp();
}

__global__ void before(const float *__restrict__ In,
                       float *__restrict__ Values) {
  __shared__ float Matrix[Warps][N][N];
  const int Lane = threadIdx.x % 32, Warp = threadIdx.x / 32;
  const int M = blockIdx.x * Warps + Warp;
  load<N>(Matrix[Warp], In + M * N * N, Lane);
  for (int Sweep = 0; Sweep < Sweeps; ++Sweep)
    for (int P = 0; P < N - 1; ++P)
      for (int Q = P + 1; Q < N; ++Q)
        rotate<N>(Matrix[Warp], P, Q, Lane);
  Values[M * N + Lane] = Matrix[Warp][Lane][Lane];
}

__global__ void after(const float *__restrict__ In,
                      float *__restrict__ Values) {
  __shared__ float Matrix[Warps][N][N + 1];
  const int Lane = threadIdx.x % 32, Warp = threadIdx.x / 32;
  const int M = blockIdx.x * Warps + Warp;
  load<N + 1>(Matrix[Warp], In + M * N * N, Lane);
  for (int Sweep = 0; Sweep < Sweeps; ++Sweep)
    for (int P = 0; P < N - 1; ++P)
      for (int Q = P + 1; Q < N; ++Q)
        rotate<N + 1>(Matrix[Warp], P, Q, Lane);
  Values[M * N + Lane] = Matrix[Warp][Lane][Lane];
}

int main() {
  const float *In = input<float>(Matrices * N * N);
  float *Expected = output<float>(Matrices * N),
        *Out = output<float>(Matrices * N);
  Pair P("eigenvalues-by-jacobi-pitch-33");
  P.same(Expected, Out, Matrices * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<Matrices / Warps, 32 * Warps>>>(In, Expected);
    else
      after<<<Matrices / Warps, 32 * Warps>>>(In, Out);
}

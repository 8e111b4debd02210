// Rule: cuda-memory-register-spill
// Residual of the Euler equations along x: slopes limited, Rusanov fluxes at
// both faces of a cell, in double precision. After has launch bounds that ask
// for four blocks of 256 on a multiprocessor.
#include "Pair.cuh"

constexpr int NX = 256, NY = 128, NZ = 32, Ghost = 2, Pitch = NX + 2 * Ghost;
constexpr size_t Plane = size_t(Pitch) * NY * NZ;

struct State {
  double Rho, U, V, W, P;
};

__device__ inline double minmod(double A, double B) {
  return A * B <= 0 ? 0.0 : fabs(A) < fabs(B) ? A : B;
}

/// Values at the faces on both sides of a cell.
__device__ inline void faces(const double *Q, double &Low, double &High) {
  const double C = Q[0], Slope = 0.5 * minmod(C - Q[-1], Q[1] - C);
  Low = C - Slope;
  High = C + Slope;
}

__device__ inline void cell(const double *Q, State &L, State &H) {
  faces(Q, L.Rho, H.Rho);
  faces(Q + Plane, L.U, H.U);
  faces(Q + 2 * Plane, L.V, H.V);
  faces(Q + 3 * Plane, L.W, H.W);
  faces(Q + 4 * Plane, L.P, H.P);
}

__device__ inline void addFlux(const State &L, const State &R, double Sign,
                               double *Sum) {
  constexpr double G = 1.4;
  const double EL =
      (L.P + 1) / (G - 1) + 0.5 * L.Rho * (L.U * L.U + L.V * L.V + L.W * L.W);
  const double ER =
      (R.P + 1) / (G - 1) + 0.5 * R.Rho * (R.U * R.U + R.V * R.V + R.W * R.W);
  const double SL = fabs(L.U) + sqrt(G * (L.P + 1) / (L.Rho + 1));
  const double SR = fabs(R.U) + sqrt(G * (R.P + 1) / (R.Rho + 1));
  const double S = fmax(SL, SR), ML = L.Rho * L.U, MR = R.Rho * R.U;
  const double F = 0.5 * Sign;
  Sum[0] += F * (ML + MR - S * (R.Rho - L.Rho));
  Sum[1] += F * (ML * L.U + L.P + MR * R.U + R.P - S * (MR - ML));
  Sum[2] += F * (ML * L.V + MR * R.V - S * (R.Rho * R.V - L.Rho * L.V));
  Sum[3] += F * (ML * L.W + MR * R.W - S * (R.Rho * R.W - L.Rho * L.W));
  Sum[4] += F * (L.U * (EL + L.P) + R.U * (ER + R.P) - S * (ER - EL));
}

__device__ inline void residual(const double *Q, double *Out) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x;
  const size_t Row = blockIdx.y;
  if (X >= NX)
    return;
  const double *Here = Q + Row * Pitch + X + Ghost;
  State PrevL, PrevH, L, H, NextL, NextH;
  cell(Here - 1, PrevL, PrevH);
  cell(Here, L, H);
  cell(Here + 1, NextL, NextH);
  double Sum[5] = {};
  addFlux(PrevH, L, 1, Sum);
  addFlux(H, NextL, -1, Sum);
#pragma unroll
  for (int K = 0; K < 5; ++K)
    Out[(K * size_t(NY * NZ) + Row) * NX + X] = Sum[K];
}

__global__ void before(const double *__restrict__ Q, double *Out) {
  residual(Q, Out);
}

__global__ void __launch_bounds__(256, 4)
    after(const double *__restrict__ Q, double *Out) {
  residual(Q, Out);
}

int main() {
  const double *Q = input<double>(5 * Plane);
  constexpr size_t Count = size_t(5) * NX * NY * NZ;
  double *Expected = output<double>(Count), *Out = output<double>(Count);
  Pair P("euler-residual-bounds-256-4");
  P.same(Expected, Out, Count);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(NX / 256, NY * NZ), 256>>>(Q, Expected);
    else
      after<<<dim3(NX / 256, NY * NZ), 256>>>(Q, Out);
}

// Rule: cuda-memory-register-spill
// Stiffness matrices of quadratic tetrahedra by eleven points of quadrature: a
// thread sums all 100 entries of an element, which spills, or the 55 of the
// upper half, as the matrix is symmetric.
#include "Pair.cuh"

constexpr int Elements = 1 << 15, Nodes = 10, Quadrature = 11;

struct Vector {
  double X, Y, Z;
};

/// Barycentric coordinates and weights of the points.
__constant__ double Points[Quadrature][5];

__device__ double dot(Vector A, Vector B) {
  return A.X * B.X + A.Y * B.Y + A.Z * B.Z;
}

__device__ Vector scaled(double S, Vector A) {
  return {S * A.X, S * A.Y, S * A.Z};
}

__device__ Vector mixture(double S, Vector A, double T, Vector B) {
  return {S * A.X + T * B.X, S * A.Y + T * B.Y, S * A.Z + T * B.Z};
}

/// Gradients of the barycentric coordinates of an element.
__device__ void corners(const double *Data, int I, Vector (&L)[4]) {
  for (int K = 0; K < 3; ++K)
    L[K + 1] = {Data[3 * K * Elements + I], Data[(3 * K + 1) * Elements + I],
                Data[(3 * K + 2) * Elements + I]};
  L[0] = {-L[1].X - L[2].X - L[3].X, -L[1].Y - L[2].Y - L[3].Y,
          -L[1].Z - L[2].Z - L[3].Z};
}

/// Gradients of the ten shape functions at a point.
__device__ void gradients(const double *P, const Vector (&L)[4],
                          Vector (&G)[Nodes]) {
  constexpr int From[] = {0, 1, 0, 0, 1, 2}, To[] = {1, 2, 2, 3, 3, 3};
#pragma unroll
  for (int K = 0; K < 4; ++K)
    G[K] = scaled(4 * P[K] - 1, L[K]);
#pragma unroll
  for (int K = 0; K < 6; ++K)
    G[4 + K] = mixture(4 * P[From[K]], L[To[K]], 4 * P[To[K]], L[From[K]]);
}

__global__ void before(const double *__restrict__ Data,
                       const double *__restrict__ Conductivity,
                       double *__restrict__ Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Vector L[4], G[Nodes];
  corners(Data, I, L);
  double Sum[Nodes][Nodes] = {};
#pragma unroll 1
  for (int Q = 0; Q < Quadrature; ++Q) {
    gradients(Points[Q], L, G);
    const double Weight = Points[Q][4] * Conductivity[Q * Elements + I];
#pragma unroll
    for (int A = 0; A < Nodes; ++A) {
      const Vector Row = scaled(Weight, G[A]);
#pragma unroll
      for (int B = 0; B < Nodes; ++B)
        Sum[A][B] += dot(Row, G[B]);
    }
  }
#pragma unroll
  for (int A = 0; A < Nodes; ++A)
#pragma unroll
    for (int B = 0; B < Nodes; ++B)
      Out[(A * Nodes + B) * Elements + I] = Sum[A][B];
}

__global__ void after(const double *__restrict__ Data,
                      const double *__restrict__ Conductivity,
                      double *__restrict__ Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Vector L[4], G[Nodes];
  corners(Data, I, L);
  double Sum[Nodes * (Nodes + 1) / 2] = {};
#pragma unroll 1
  for (int Q = 0; Q < Quadrature; ++Q) {
    gradients(Points[Q], L, G);
    const double Weight = Points[Q][4] * Conductivity[Q * Elements + I];
#pragma unroll
    for (int B = 0; B < Nodes; ++B) {
      const Vector Column = scaled(Weight, G[B]);
#pragma unroll
      for (int A = 0; A <= B; ++A)
        Sum[B * (B + 1) / 2 + A] += dot(G[A], Column);
    }
  }
#pragma unroll
  for (int A = 0; A < Nodes; ++A)
#pragma unroll
    for (int B = 0; B < Nodes; ++B) {
      const int High = A > B ? A : B, Low = A > B ? B : A;
      Out[(A * Nodes + B) * Elements + I] = Sum[High * (High + 1) / 2 + Low];
    }
}

int main() {
  const double *Data = input<double>(9 * Elements),
               *Conductivity = input<double>(Quadrature * Elements),
               *Rule = input<double>(5 * Quadrature);
  must(cudaMemcpyToSymbol(Points, Rule, sizeof(Points), 0,
                          cudaMemcpyDeviceToDevice));
  constexpr int Results = Nodes * Nodes * Elements;
  double *Expected = output<double>(Results), *Out = output<double>(Results);
  Pair P("tetrahedron-stiffness-upper-half");
  P.same(Expected, Out, Results);
  while (P.next())
    if (P.beforesTurn())
      before<<<Elements / 128, 128>>>(Data, Conductivity, Expected);
    else
      after<<<Elements / 128, 128>>>(Data, Conductivity, Out);
}

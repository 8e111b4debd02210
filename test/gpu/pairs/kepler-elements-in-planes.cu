// Rule: cuda-memory-uncoalesced-access
// Places of satellites in their orbits: Kepler's equation is solved in doubles
// by twelve steps of Newton's method. The six elements of an orbit lie together
// or in planes.
#include "Pair.cuh"

struct Elements {
  double Axis, Eccentricity, Inclination, Node, Periapsis, Anomaly;
};

constexpr int N = 1 << 18;

__device__ void place(const Elements &E, double Time, double *Where, int I) {
  const double Ecc = 0.6 * E.Eccentricity;
  const double Mean = E.Anomaly + Time;
  double A = Mean;
  for (int Step = 0; Step < 12; ++Step) {
    double S, C;
    sincos(A, &S, &C);
    A -= (A - Ecc * S - Mean) / (1 - Ecc * C);
  }
  double S, C;
  sincos(A, &S, &C);
  const double X = E.Axis * (C - Ecc), Y = E.Axis * sqrt(1 - Ecc * Ecc) * S;
  double SP, CP, SN, CN, SI, CI;
  sincos(E.Periapsis, &SP, &CP);
  sincos(E.Node, &SN, &CN);
  sincos(E.Inclination, &SI, &CI);
  const double U = X * CP - Y * SP, V = X * SP + Y * CP;
  Where[I] = U * CN - V * CI * SN;
  Where[N + I] = U * SN + V * CI * CN;
  Where[2 * N + I] = V * SI;
}

__global__ void before(const Elements *__restrict__ Orbits, double Time,
                       double *__restrict__ Where) {
  const int I = blockIdx.x * 128 + threadIdx.x;
  place(Orbits[I], Time, Where, I);
}

__global__ void after(const double *__restrict__ Planes, double Time,
                      double *__restrict__ Where) {
  const int I = blockIdx.x * 128 + threadIdx.x;
  const Elements E{Planes[I],         Planes[N + I],     Planes[2 * N + I],
                   Planes[3 * N + I], Planes[4 * N + I], Planes[5 * N + I]};
  place(E, Time, Where, I);
}

int main() {
  const double *Records = input<double>(6 * N);
  const double *Planes = arranged(Records, 6 * N, 6 * N,
                                  [](size_t I) { return I % N * 6 + I / N; });
  double *Expected = output<double>(3 * N), *Out = output<double>(3 * N);
  Pair P("kepler-elements-in-planes");
  P.same(Expected, Out, 3 * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 128, 128>>>((const Elements *)Records, 0.3, Expected);
    else
      after<<<N / 128, 128>>>(Planes, 0.3, Out);
}

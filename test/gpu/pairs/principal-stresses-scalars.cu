// Rule: cuda-memory-local-array
// Principal stresses at each point of a solid by Jacobi's rotations: the tensor
// is a small array with loops over its elements, or six scalars with the
// rotations written out.
#include "Pair.cuh"

constexpr int N = 1 << 20, Sweeps = 4;

__device__ float tangent(float P, float Q, float Off) {
  const float Theta = (Q - P) / (2 * Off);
  return copysignf(1, Theta) / (fabsf(Theta) + sqrtf(Theta * Theta + 1));
}

__device__ void store(float A, float B, float C, float *Out, int I) {
  Out[I] = fmaxf(fmaxf(A, B), C);
  Out[N + I] = fmaxf(fminf(A, B), fminf(fmaxf(A, B), C));
  Out[2 * N + I] = fminf(fminf(A, B), C);
}

__global__ void before(const float *__restrict__ Stress,
                       float *__restrict__ Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float S[3][3];
  for (int Row = 0, K = 0; Row < 3; ++Row)
    for (int Column = Row; Column < 3; ++Column, ++K)
      S[Row][Column] = S[Column][Row] = Stress[K * N + I];
  for (int Sweep = 0; Sweep < Sweeps; ++Sweep)
    for (int P = 0; P < 2; ++P)
      for (int Q = P + 1; Q < 3; ++Q) {
        const float Off = S[P][Q];
        if (fabsf(Off) < 1e-10f)
          continue;
        const float T = tangent(S[P][P], S[Q][Q], Off);
        const float C = rsqrtf(T * T + 1);
        const int R = 3 - P - Q;
        const float RP = S[R][P], RQ = S[R][Q];
        S[P][P] -= T * Off;
        S[Q][Q] += T * Off;
        S[P][Q] = S[Q][P] = 0;
        S[R][P] = S[P][R] = C * (RP - T * RQ);
        S[R][Q] = S[Q][R] = C * (RQ + T * RP);
      }
  store(S[0][0], S[1][1], S[2][2], Out, I);
}

__device__ void rotate(float &P, float &Q, float &Off, float &RP, float &RQ) {
  if (fabsf(Off) < 1e-10f)
    return;
  const float T = tangent(P, Q, Off), C = rsqrtf(T * T + 1);
  const float OldRP = RP, OldRQ = RQ;
  P -= T * Off;
  Q += T * Off;
  Off = 0;
  RP = C * (OldRP - T * OldRQ);
  RQ = C * (OldRQ + T * OldRP);
}

__global__ void after(const float *__restrict__ Stress,
                      float *__restrict__ Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float XX = Stress[I], XY = Stress[N + I], XZ = Stress[2 * N + I],
        YY = Stress[3 * N + I], YZ = Stress[4 * N + I], ZZ = Stress[5 * N + I];
  for (int Sweep = 0; Sweep < Sweeps; ++Sweep) {
    rotate(XX, YY, XY, XZ, YZ);
    rotate(XX, ZZ, XZ, XY, YZ);
    rotate(YY, ZZ, YZ, XY, XZ);
  }
  store(XX, YY, ZZ, Out, I);
}

int main() {
  const float *Stress = input<float>(6 * N);
  float *Expected = output<float>(3 * N), *Out = output<float>(3 * N);
  Pair P("principal-stresses-scalars");
  P.same(Expected, Out, 3 * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 128, 128>>>(Stress, Expected);
    else
      after<<<N / 128, 128>>>(Stress, Out);
}

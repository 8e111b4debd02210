// Rule: cuda-memory-missing-restrict
// Forces of 24 springs on each node of a soft body, added up in global memory:
// without __restrict__ each spring loads place and force again and stores the
// force; with it the compiler keeps both in registers.
#include "Pair.cuh"

constexpr int Nodes = 1 << 18, Springs = 24;

__global__ void before(const int *Other, const float *X, const float *Y,
                       const float *Z, float *FX, float *FY, float *FZ,
                       int Count, float Length, float Stiffness) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Count)
    return;
  FX[I] = 0;
  FY[I] = 0;
  FZ[I] = -9.81f;
  for (int S = 0; S < Springs; ++S) {
    const int J = Other[S * Count + I];
    const float DX = X[J] - X[I], DY = Y[J] - Y[I], DZ = Z[J] - Z[I];
    const float Inverse = rsqrtf(DX * DX + DY * DY + DZ * DZ + 1e-4f);
    const float Pull = Stiffness * (1.0f - Length * Inverse);
    FX[I] += Pull * DX;
    FY[I] += Pull * DY;
    FZ[I] += Pull * DZ;
  }
}

__global__ void after(const int *__restrict__ Other,
                      const float *__restrict__ X, const float *__restrict__ Y,
                      const float *__restrict__ Z, float *__restrict__ FX,
                      float *__restrict__ FY, float *__restrict__ FZ,
                      int Count, float Length, float Stiffness) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Count)
    return;
  FX[I] = 0;
  FY[I] = 0;
  FZ[I] = -9.81f;
  for (int S = 0; S < Springs; ++S) {
    const int J = Other[S * Count + I];
    const float DX = X[J] - X[I], DY = Y[J] - Y[I], DZ = Z[J] - Z[I];
    const float Inverse = rsqrtf(DX * DX + DY * DY + DZ * DZ + 1e-4f);
    const float Pull = Stiffness * (1.0f - Length * Inverse);
    FX[I] += Pull * DX;
    FY[I] += Pull * DY;
    FZ[I] += Pull * DZ;
  }
}

int main() {
  std::vector<int> Ends(size_t(Springs) * Nodes);
  for (int S = 0; S < Springs; ++S)
    for (int I = 0; I < Nodes; ++I) {
      const int Off = int(mixed(size_t(S) * Nodes + I) % 128) - 64;
      Ends[size_t(S) * Nodes + I] = (I + Off + Nodes) % Nodes;
    }
  const int *Other = onDevice(Ends);
  const float *X = input<float>(3 * Nodes), *Y = X + Nodes, *Z = Y + Nodes;
  float *Expected = output<float>(3 * Nodes), *Out = output<float>(3 * Nodes);
  Pair P("spring-forces-restrict");
  P.same(Expected, Out, 3 * Nodes);
  while (P.next())
    if (P.beforesTurn())
      before<<<Nodes / 256, 256>>>(Other, X, Y, Z, Expected, Expected + Nodes,
                                   Expected + 2 * Nodes, Nodes, 0.3f, 2.0f);
    else
      after<<<Nodes / 256, 256>>>(Other, X, Y, Z, Out, Out + Nodes,
                                  Out + 2 * Nodes, Nodes, 0.3f, 2.0f);
}

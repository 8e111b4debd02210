// Rule: cuda-memory-split-gather
// Rusanov fluxes through the edges of an unstructured mesh: the states of both
// ends, five numbers each, are gathered from five arrays or from a record of
// 32 bytes.
#include "Pair.cuh"

constexpr int Nodes = 1 << 19, Edges = 3 << 20, Bandwidth = 1 << 15;
constexpr float Gamma = 1.4f;

struct State {
  float Density, Mx, My, Mz, Energy;
};

struct Flow {
  float Density, U, V, W, Energy, Pressure, Normal, Wave;
};

__device__ Flow flow(const State &S, float Nx, float Ny, float Nz,
                     float Length) {
  Flow F;
  F.Density = S.Density;
  const float Inverse = 1 / S.Density;
  F.U = S.Mx * Inverse;
  F.V = S.My * Inverse;
  F.W = S.Mz * Inverse;
  F.Energy = S.Energy;
  F.Pressure = (Gamma - 1) *
               (S.Energy - 0.5f * (F.U * S.Mx + F.V * S.My + F.W * S.Mz));
  F.Normal = F.U * Nx + F.V * Ny + F.W * Nz;
  F.Wave =
      fabsf(F.Normal) + Length * sqrtf(Gamma * fabsf(F.Pressure) * Inverse);
  return F;
}

__device__ void writeFlux(const State &L, const State &R,
                          const float *__restrict__ Normals,
                          float *__restrict__ Flux, int E) {
  const float Nx = Normals[E], Ny = Normals[Edges + E],
              Nz = Normals[2 * Edges + E];
  const float Length = sqrtf(Nx * Nx + Ny * Ny + Nz * Nz);
  const Flow A = flow(L, Nx, Ny, Nz, Length), B = flow(R, Nx, Ny, Nz, Length);
  const float Wave = fmaxf(A.Wave, B.Wave), P = A.Pressure + B.Pressure;
  Flux[E] = 0.5f * (L.Density * A.Normal + R.Density * B.Normal -
                    Wave * (R.Density - L.Density));
  Flux[Edges + E] = 0.5f * (L.Mx * A.Normal + R.Mx * B.Normal + P * Nx -
                            Wave * (R.Mx - L.Mx));
  Flux[2 * Edges + E] = 0.5f * (L.My * A.Normal + R.My * B.Normal + P * Ny -
                                Wave * (R.My - L.My));
  Flux[3 * Edges + E] = 0.5f * (L.Mz * A.Normal + R.Mz * B.Normal + P * Nz -
                                Wave * (R.Mz - L.Mz));
  Flux[4 * Edges + E] = 0.5f * ((L.Energy + A.Pressure) * A.Normal +
                                (R.Energy + B.Pressure) * B.Normal -
                                Wave * (R.Energy - L.Energy));
}

__device__ State fetched(const float *__restrict__ States, int Node) {
  return {States[Node] + 1, States[Nodes + Node], States[2 * Nodes + Node],
          States[3 * Nodes + Node], States[4 * Nodes + Node] + 2};
}

__device__ State fetched(const float4 *__restrict__ States, int Node) {
  const float4 A = States[2 * Node], B = States[2 * Node + 1];
  return {A.x + 1, A.y, A.z, A.w, B.x + 2};
}

__global__ void before(const float *__restrict__ States,
                       const int2 *__restrict__ Ends,
                       const float *__restrict__ Normals,
                       float *__restrict__ Flux) {
  const int E = blockIdx.x * blockDim.x + threadIdx.x;
  const int2 Two = Ends[E];
  writeFlux(fetched(States, Two.x), fetched(States, Two.y), Normals, Flux, E);
}

__global__ void after(const float4 *__restrict__ States,
                      const int2 *__restrict__ Ends,
                      const float *__restrict__ Normals,
                      float *__restrict__ Flux) {
  const int E = blockIdx.x * blockDim.x + threadIdx.x;
  const int2 Two = Ends[E];
  writeFlux(fetched(States, Two.x), fetched(States, Two.y), Normals, Flux, E);
}

int main() {
  const float *States = input<float>(5 * Nodes);
  const float *Records = arranged(States, 5 * Nodes, 8 * Nodes, [](size_t I) {
    return std::min<size_t>(I % 8, 4) * Nodes + I / 8;
  });
  std::vector<int2> Ends(Edges);
  for (int E = 0; E < Edges; ++E) {
    const int Left = E / (Edges / Nodes);
    Ends[E] = {Left, int((Left + 1 + mixed(E) % Bandwidth) % Nodes)};
  }
  const int2 *EndsThere = onDevice(Ends);
  const float *Normals = input<float>(3 * Edges);
  float *Expected = output<float>(5 * Edges), *Out = output<float>(5 * Edges);
  Pair P("edge-fluxes-node-states-together");
  P.same(Expected, Out, 5 * Edges);
  while (P.next())
    if (P.beforesTurn())
      before<<<Edges / 256, 256>>>(States, EndsThere, Normals, Expected);
    else
      after<<<Edges / 256, 256>>>((const float4 *)Records, EndsThere, Normals,
                                  Out);
}

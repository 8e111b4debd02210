// Rule: ?
// The phase layer of an approximate optimisation on 22 qubits: an amplitude is
// turned by an angle times the cut of a weighted graph by its bits. The cut is
// summed over 66 edges in constant memory each time, or read from a byte.
#include "Pair.cuh"

constexpr int Qubits = 22, N = 1 << Qubits, Edges = 3 * Qubits;

struct Edge {
  int From, To, Weight;
};

__constant__ Edge Graph[Edges];

__device__ float2 turned(float2 Amplitude, float Angle) {
  float Sine, Cosine;
  __sincosf(Angle, &Sine, &Cosine);
  return {Amplitude.x * Cosine - Amplitude.y * Sine,
          Amplitude.x * Sine + Amplitude.y * Cosine};
}

__global__ void before(const float2 *__restrict__ State, float Gamma,
                       float2 *__restrict__ New, float *__restrict__ Energy) {
  const int Z = blockIdx.x * blockDim.x + threadIdx.x;
  const float2 Amplitude = State[Z];
  int Cut = 0;
  for (int E = 0; E < Edges; ++E) {
    const Edge Link = Graph[E];
    if ((Z >> Link.From ^ Z >> Link.To) & 1)
      Cut += Link.Weight;
  }
  New[Z] = turned(Amplitude, -Gamma * Cut);
  float Part =
      Cut * (Amplitude.x * Amplitude.x + Amplitude.y * Amplitude.y);
  for (int Step = 16; Step > 0; Step /= 2)
    Part += __shfl_xor_sync(~0u, Part, Step);
  if (threadIdx.x % 32 == 0)
    Energy[Z / 32] = Part;
}

__global__ void after(const float2 *__restrict__ State,
                      const unsigned char *__restrict__ Cuts, float Gamma,
                      float2 *__restrict__ New, float *__restrict__ Energy) {
  const int Z = blockIdx.x * blockDim.x + threadIdx.x;
  const float2 Amplitude = State[Z];
  const int Cut = Cuts[Z];
  New[Z] = turned(Amplitude, -Gamma * Cut);
  float Part =
      Cut * (Amplitude.x * Amplitude.x + Amplitude.y * Amplitude.y);
  for (int Step = 16; Step > 0; Step /= 2)
    Part += __shfl_xor_sync(~0u, Part, Step);
  if (threadIdx.x % 32 == 0)
    Energy[Z / 32] = Part;
}

int main() {
  std::vector<Edge> Links;
  for (int E = 0; E < Edges; ++E) {
    const int From = E % Qubits, Away = 1 + 4 * (E / Qubits);
    Links.push_back({From, (From + Away) % Qubits, 1 + int(mixed(E) % 3)});
  }
  must(cudaMemcpyToSymbol(Graph, Links.data(), sizeof(Graph)));
  std::vector<unsigned char> Known(N);
  for (int Z = 0; Z < N; ++Z)
    for (const Edge &Link : Links)
      Known[Z] += ((Z >> Link.From ^ Z >> Link.To) & 1) * Link.Weight;
  const unsigned char *Cuts = onDevice(Known);
  const float2 *State = (const float2 *)input<float>(2 * N);
  float *Expected = output<float>(2 * N), *Out = output<float>(2 * N);
  float *ExpectedEnergy = output<float>(N / 32),
        *OutEnergy = output<float>(N / 32);
  Pair P("cut-phases-costs-stored");
  P.same(Expected, Out, 2 * N);
  P.same(ExpectedEnergy, OutEnergy, N / 32);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(State, 0.02f, (float2 *)Expected,
                               ExpectedEnergy);
    else
      after<<<N / 256, 256>>>(State, Cuts, 0.02f, (float2 *)Out, OutEnergy);
}

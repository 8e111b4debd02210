// Rule: cuda-memory-misaligned
// A step of a seven-speed lattice for a temperature carried by a given flow, in
// a box without walls: each cell relaxes its own populations and pushes them to
// its neighbours, or pulls those that come to it and stores them in place.
#include "Pair.cuh"

constexpr int Side = 128, N = Side * Side * Side, Speeds = 7;

// The cell that lies Way steps from I along speed Q.
__host__ __device__ constexpr int moved(int I, int Q, int Way) {
  const int X = I % Side + Way * ((Q == 1) - (Q == 2));
  const int Y = I / Side % Side + Way * ((Q == 3) - (Q == 4));
  const int Z = I / Side / Side + Way * ((Q == 5) - (Q == 6));
  return (((Z & (Side - 1)) * Side) + (Y & (Side - 1))) * Side +
         (X & (Side - 1));
}

__device__ void relax(float (&F)[Speeds], float U, float V, float W,
                      float Omega) {
  float Heat = 0;
#pragma unroll
  for (int Q = 0; Q < Speeds; ++Q)
    Heat += F[Q];
  const float Along[] = {0, U, -U, V, -V, W, -W};
#pragma unroll
  for (int Q = 0; Q < Speeds; ++Q) {
    const float Share = Q == 0 ? 0.25f : 0.125f * (1.0f + 0.4f * Along[Q]);
    F[Q] += Omega * (Heat * Share - F[Q]);
  }
}

__global__ void before(const float *__restrict__ Old,
                       const float *__restrict__ Flow, float Omega,
                       float *__restrict__ New) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float F[Speeds];
#pragma unroll
  for (int Q = 0; Q < Speeds; ++Q)
    F[Q] = Old[Q * N + I];
  relax(F, Flow[I], Flow[N + I], Flow[2 * N + I], Omega);
#pragma unroll
  for (int Q = 0; Q < Speeds; ++Q)
    New[Q * N + moved(I, Q, 1)] = F[Q];
}

__global__ void after(const float *__restrict__ Old,
                      const float *__restrict__ Flow, float Omega,
                      float *__restrict__ New) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float F[Speeds];
#pragma unroll
  for (int Q = 0; Q < Speeds; ++Q)
    F[Q] = Old[Q * N + moved(I, Q, -1)];
  relax(F, Flow[I], Flow[N + I], Flow[2 * N + I], Omega);
#pragma unroll
  for (int Q = 0; Q < Speeds; ++Q)
    New[Q * N + I] = F[Q];
}

int main() {
  const size_t Count = size_t(N) * Speeds;
  // What lies at a cell of the one has yet to come to it in the other.
  const auto Source = [](size_t I) {
    const int Q = int(I / N);
    return size_t(Q) * N + moved(int(I % N), Q, -1);
  };
  const float *Leaving = input<float>(Count), *Flow = input<float>(3 * N);
  const float *Arrived = arranged(Leaving, Count, Count, Source);
  float *Expected = output<float>(Count), *Out = output<float>(Count);
  Pair P("temperature-lattice-pulled");
  P.same(Expected, Out, Count, Source);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(Arrived, Flow, 1.2f, Expected);
    else
      after<<<N / 256, 256>>>(Leaving, Flow, 1.2f, Out);
}

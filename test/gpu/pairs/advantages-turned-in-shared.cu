// Rule: cuda-memory-uncoalesced-access
// Generalised advantage estimation: backwards through the 256 steps of each of
// 16384 environments, whose rows lie one after the other; read as they are, or
// turned in shared memory, 32 environments by 32 steps at a time.
#include "Pair.cuh"

constexpr int Environments = 1 << 14, Steps = 256, Tile = 32;
constexpr float Gamma = 0.99f, Lambda = 0.95f;

__device__ float surprise(float Reward, float Value, float Next, bool Ended) {
  return Reward + (Ended ? 0.f : Gamma * Next) - Value;
}

__global__ void before(const float *__restrict__ Rewards,
                       const float *__restrict__ Values,
                       const unsigned char *__restrict__ Ended,
                       float *__restrict__ Advantages) {
  const int E = blockIdx.x * blockDim.x + threadIdx.x;
  if (E >= Environments)
    return;
  float Advantage = 0, Next = Values[E * (Steps + 1) + Steps];
  for (int T = Steps - 1; T >= 0; --T) {
    const bool Last = Ended[E * Steps + T];
    const float Value = Values[E * (Steps + 1) + T];
    const float Delta = surprise(Rewards[E * Steps + T], Value, Next, Last);
    Advantage = Delta + (Last ? 0.f : Gamma * Lambda) * Advantage;
    Advantages[E * Steps + T] = Advantage;
    Next = Value;
  }
}

__global__ void after(const float *__restrict__ Rewards,
                      const float *__restrict__ Values,
                      const unsigned char *__restrict__ Ended,
                      float *__restrict__ Advantages) {
  __shared__ float Deltas[Tile][Tile + 1], Keeps[Tile][Tile + 1];
  const int First = blockIdx.x * Tile, X = threadIdx.x;
  float Advantage = 0;
  for (int Start = Steps - Tile; Start >= 0; Start -= Tile) {
    const int T = Start + X;
    for (int Y = threadIdx.y; Y < Tile; Y += blockDim.y) {
      const int E = First + Y;
      const float *Value = Values + E * (Steps + 1) + T;
      const bool Last = Ended[E * Steps + T];
      Deltas[Y][X] = surprise(Rewards[E * Steps + T], Value[0], Value[1], Last);
      Keeps[Y][X] = Last ? 0.f : Gamma * Lambda;
    }
    __syncthreads();
    if (threadIdx.y == 0)
      for (int S = Tile - 1; S >= 0; --S) {
        Advantage = Deltas[X][S] + Keeps[X][S] * Advantage;
        Deltas[X][S] = Advantage;
      }
    __syncthreads();
    for (int Y = threadIdx.y; Y < Tile; Y += blockDim.y)
      Advantages[(First + Y) * Steps + T] = Deltas[Y][X];
    __syncthreads();
  }
}

int main() {
  constexpr int N = Environments * Steps;
  const float *Rewards = input<float>(N),
              *Values = input<float>(N + Environments);
  std::vector<unsigned char> Ends(N);
  for (int I = 0; I < N; ++I)
    Ends[I] = mixed(I) % 200 == 0;
  const unsigned char *Ended = onDevice(Ends);
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("advantages-turned-in-shared");
  P.same(Expected, Out, N);
  const dim3 Block(Tile, 8);
  while (P.next())
    if (P.beforesTurn())
      before<<<Environments / 64, 64>>>(Rewards, Values, Ended, Expected);
    else
      after<<<Environments / Tile, Block>>>(Rewards, Values, Ended, Out);
}

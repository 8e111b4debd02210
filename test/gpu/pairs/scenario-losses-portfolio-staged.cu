// Rule: ?
// Loss of a portfolio of a thousand instruments in each of 65536 scenarios, a
// thread for each scenario: all lanes read the same instrument from global
// memory, or from tiles of 256 that the block has copied to shared memory.
// Options: --buffer=Portfolio=random,count=4096,below=64
#include "Pair.cuh"

constexpr int Scenarios = 65536, Instruments = 1024, Factors = 64, Tile = 256;

struct __align__(16) Instrument {
  int Factor;
  float Delta, Gamma, Floor;
};

__device__ float value(const Instrument &Held, float Move) {
  return fmaxf(Held.Delta * Move + 0.5f * Held.Gamma * Move * Move,
               -Held.Floor);
}

__global__ void before(const Instrument *__restrict__ Portfolio,
                       const float *__restrict__ Shock, float *Loss) {
  const int Scenario = blockIdx.x * Tile + threadIdx.x;
  float Sum = 0;
  for (int I = 0; I < Instruments; ++I) {
    const Instrument Held = Portfolio[I];
    const float Move = Shock[Held.Factor * Scenarios + Scenario] - 0.5f;
    Sum += value(Held, Move);
  }
  Loss[Scenario] = -Sum;
}

__global__ void after(const Instrument *__restrict__ Portfolio,
                      const float *__restrict__ Shock, float *Loss) {
  __shared__ Instrument Near[Tile];
  const int Scenario = blockIdx.x * Tile + threadIdx.x;
  float Sum = 0;
  for (int First = 0; First < Instruments; First += Tile) {
    __syncthreads();
    Near[threadIdx.x] = Portfolio[First + threadIdx.x];
    __syncthreads();
    for (int I = 0; I < Tile; ++I) {
      const Instrument Held = Near[I];
      const float Move = Shock[Held.Factor * Scenarios + Scenario] - 0.5f;
      Sum += value(Held, Move);
    }
  }
  Loss[Scenario] = -Sum;
}

int main() {
  std::vector<Instrument> Holdings(Instruments);
  for (int I = 0; I < Instruments; ++I)
    Holdings[I] = {int(mixed(I) % Factors), mixed(I + 5000) % 100 / 100.0f,
                   mixed(I + 9000) % 100 / 50.0f,
                   0.05f + mixed(I + 12000) % 100 / 200.0f};
  const Instrument *Portfolio = onDevice(Holdings);
  const float *Shock = input<float>(Factors * Scenarios);
  float *Expected = output<float>(Scenarios), *Out = output<float>(Scenarios);
  Pair P("scenario-losses-portfolio-staged");
  P.same(Expected, Out, Scenarios);
  while (P.next())
    if (P.beforesTurn())
      before<<<Scenarios / Tile, Tile>>>(Portfolio, Shock, Expected);
    else
      after<<<Scenarios / Tile, Tile>>>(Portfolio, Shock, Out);
}

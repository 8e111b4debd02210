// Rule: cuda-memory-single-result
// Metropolis' step for one colour of an Ising chequerboard: five loads for a
// spin, or, as advised, four spins in a column.
#include "../Pair.cuh"

constexpr int Side = 4096, Half = Side / 2;

__device__ float chance(unsigned Site, unsigned Seed) {
  unsigned Hash = Site * 0x9e3779b1u ^ Seed;
  Hash = (Hash ^ Hash >> 15) * 0x85ebca6bu;
  Hash = (Hash ^ Hash >> 13) * 0xc2b2ae35u;
  return (Hash >> 8) * (1 / 16777216.f);
}

/// How many neighbours are like the spin itself.
__device__ int alike(const signed char *__restrict__ Spin, int X, int Y) {
  const int Left = (X - 1) & (Side - 1), Right = (X + 1) & (Side - 1),
            Up = (Y - 1) & (Side - 1), Down = (Y + 1) & (Side - 1);
  const int Sum = Spin[Y * Side + Left] + Spin[Y * Side + Right] +
                  Spin[Up * Side + X] + Spin[Down * Side + X];
  return Spin[Y * Side + X] ? Sum : 4 - Sum;
}

__global__ void before(const signed char *__restrict__ Spin,
                       const float *__restrict__ Factors, unsigned Seed,
                       signed char *__restrict__ New) {
  const int Place = blockIdx.x * blockDim.x + threadIdx.x;
  const int Y = blockIdx.y * blockDim.y + threadIdx.y, X = 2 * Place + Y % 2;
  const bool Flip =
      chance(Y * Half + Place, Seed) < Factors[alike(Spin, X, Y)];
  New[Y * Half + Place] = Spin[Y * Side + X] ^ int(Flip);
}

__global__ void after(const signed char *__restrict__ Spin,
                      const float *__restrict__ Factors, unsigned Seed,
                      signed char *__restrict__ New) {
  const int Place = blockIdx.x * blockDim.x + threadIdx.x;
  const int First = (blockIdx.y * blockDim.y + threadIdx.y) * 4;
#pragma unroll
  for (int Y = First; Y < First + 4; ++Y) {
    const int X = 2 * Place + Y % 2;
    const bool Flip =
        chance(Y * Half + Place, Seed) < Factors[alike(Spin, X, Y)];
    New[Y * Half + Place] = Spin[Y * Side + X] ^ int(Flip);
  }
}

int main() {
  const signed char *Spin = input<signed char>(Side * Side, 2);
  std::vector<float> Values(5);
  for (int Alike = 0; Alike < 5; ++Alike)
    Values[Alike] = float(std::min(1.0, std::exp(-0.88 * (2 * Alike - 4))));
  const float *Factors = onDevice(Values);
  signed char *Expected = output<signed char>(Side * Half),
              *Out = output<signed char>(Side * Half);
  Pair P("metropolis-factors-constant-as-advised");
  P.same(Expected, Out, Side * Half);
  const dim3 Block(64, 4), Grid(Half / 64, Side / 4),
      Fewer(Half / 64, Side / 16);
  while (P.next())
    if (P.beforesTurn())
      before<<<Grid, Block>>>(Spin, Factors, 12345, Expected);
    else
      after<<<Fewer, Block>>>(Spin, Factors, 12345, Out);
}

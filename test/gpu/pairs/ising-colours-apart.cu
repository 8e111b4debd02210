// Rule: cuda-memory-uncoalesced-access
// A Metropolis step for the black sites of a chequered lattice of spins, a byte
// each: black and white sites alternate in memory, so that a warp uses every
// other byte, or lie in arrays of their own.
#include "Pair.cuh"

using Spin = signed char;

constexpr int Side = 8192, Half = Side / 2;

__device__ Spin renewed(Spin Own, int Around, uint32_t Site) {
  uint32_t R = Site * 0x9e3779b9u + 77u;
  R = (R ^ R >> 16) * 0x85ebca6bu;
  R = (R ^ R >> 13) * 0xc2b2ae35u;
  R ^= R >> 16;
  const float Chance = __expf(-0.88f * Own * Around);
  return R * (1.0f / 4294967296.0f) < Chance ? -Own : Own;
}

__global__ void before(Spin *Lattice) {
  const int K = blockIdx.x * 256 + threadIdx.x, Y = blockIdx.y;
  const int X = 2 * K + (Y & 1);
  const int Above = (Y + Side - 1) % Side, Below = (Y + 1) % Side;
  const int Left = (X + Side - 1) % Side, Right = (X + 1) % Side;
  const int Around = Lattice[Above * Side + X] + Lattice[Below * Side + X] +
                     Lattice[Y * Side + Left] + Lattice[Y * Side + Right];
  Spin &Own = Lattice[Y * Side + X];
  Own = renewed(Own, Around, Y * Half + K);
}

__global__ void after(Spin *__restrict__ Black,
                      const Spin *__restrict__ White) {
  const int K = blockIdx.x * 256 + threadIdx.x, Y = blockIdx.y;
  const int Above = (Y + Side - 1) % Side, Below = (Y + 1) % Side;
  const int Beside = (Y & 1 ? K + 1 : K + Half - 1) % Half;
  const int Around = White[Above * Half + K] + White[Below * Half + K] +
                     White[Y * Half + K] + White[Y * Half + Beside];
  Spin &Own = Black[Y * Half + K];
  Own = renewed(Own, Around, Y * Half + K);
}

int main() {
  std::vector<Spin> Whole(size_t(Side) * Side), Apart(size_t(Side) * Side);
  const auto Place = [](size_t I) {
    const size_t Y = I / Side, X = I % Side;
    return (X + Y) % 2 * (size_t(Side) * Half) + Y * Half + X / 2;
  };
  for (size_t I = 0; I < Whole.size(); ++I)
    Apart[Place(I)] = Whole[I] = mixed(I) % 2 ? 1 : -1;
  Spin *Expected = onDevice(Whole), *Out = onDevice(Apart);
  Pair P("ising-colours-apart");
  P.same(Expected, Out, Whole.size(), Place);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Half / 256, Side), 256>>>(Expected);
    else
      after<<<dim3(Half / 256, Side), 256>>>(Out, Out + size_t(Side) * Half);
}

// Rule: cuda-memory-gather
// Energies of the bonds of a large molecule: 262144 atoms, and bonds between
// atoms that are close in a chain, in any order or along the chain.
#include "Pair.cuh"

constexpr int Atoms = 1 << 18, Bonds = 1 << 20;

__device__ float energy(const float4 &A, const float4 &B) {
  const float X = A.x - B.x, Y = A.y - B.y, Z = A.z - B.z;
  const float Off = sqrtf(X * X + Y * Y + Z * Z) - 0.5f * (A.w + B.w);
  return 100 * Off * Off;
}

__global__ void before(const int2 *Ends, const float4 *Where, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const int2 Bond = Ends[I];
  Out[I] = energy(Where[Bond.x], Where[Bond.y]);
}

__global__ void after(const int2 *SortedEnds, const float4 *Where, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const int2 Bond = SortedEnds[I];
  Out[I] = energy(Where[Bond.x], Where[Bond.y]);
}

int main() {
  const float *Where = input<float>(4 * Atoms);
  std::vector<int2> Chain(Bonds), Mixed(Bonds);
  std::vector<size_t> Place(Bonds);
  for (int I = 0; I < Bonds; ++I) {
    const int From = I / 4;
    Chain[I] = make_int2(From, (From + 1 + int(mixed(I) % 8)) % Atoms);
    Place[I] = I;
  }
  for (size_t I = Bonds - 1; I > 0; --I)
    std::swap(Place[I], Place[mixed(I + Bonds) % (I + 1)]);
  for (int I = 0; I < Bonds; ++I)
    Mixed[I] = Chain[Place[I]];
  const int2 *Ends = onDevice(Mixed), *SortedEnds = onDevice(Chain);
  float *Expected = output<float>(Bonds), *Out = output<float>(Bonds);
  Pair P("bonds-sorted-by-atom");
  P.same(Expected, Out, Bonds, [Place](size_t I) { return Place[I]; });
  while (P.next())
    if (P.beforesTurn())
      before<<<Bonds / 256, 256>>>(Ends, (const float4 *)Where, Expected);
    else
      after<<<Bonds / 256, 256>>>(SortedEnds, (const float4 *)Where, Out);
}

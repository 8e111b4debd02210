// Rule: cuda-memory-gather
// Macroscopic cross-section that a neutron sees: a sum over 48 nuclides, each
// interpolated between two energies of a common grid. The table has an array of
// energies for each nuclide, or all nuclides of an energy side by side.
#include "Pair.cuh"

constexpr int Neutrons = 1 << 18, Nuclides = 48, Energies = 1 << 16;
constexpr int Materials = 12;

__global__ void before(const float *__restrict__ Lethargy,
                       const unsigned char *__restrict__ Material,
                       const float *__restrict__ Density,
                       const float *__restrict__ Table,
                       float *__restrict__ Total) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const float Position = Lethargy[I] * (Energies - 2);
  const int E = int(Position);
  const float Part = Position - E;
  const float *Densities = Density + Material[I] * Nuclides;
  float Sum = 0;
#pragma unroll 4
  for (int N = 0; N < Nuclides; ++N) {
    const float Low = Table[N * Energies + E],
                High = Table[N * Energies + E + 1];
    Sum += Densities[N] * (Low + Part * (High - Low));
  }
  Total[I] = Sum;
}

__global__ void after(const float *__restrict__ Lethargy,
                      const unsigned char *__restrict__ Material,
                      const float *__restrict__ Density,
                      const float *__restrict__ Table,
                      float *__restrict__ Total) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const float Position = Lethargy[I] * (Energies - 2);
  const int E = int(Position);
  const float Part = Position - E;
  const float *Densities = Density + Material[I] * Nuclides;
  float Sum = 0;
#pragma unroll 4
  for (int N = 0; N < Nuclides; ++N) {
    const float Low = Table[E * Nuclides + N],
                High = Table[(E + 1) * Nuclides + N];
    Sum += Densities[N] * (Low + Part * (High - Low));
  }
  Total[I] = Sum;
}

int main() {
  constexpr size_t Entries = size_t(Nuclides) * Energies;
  const float *Lethargy = input<float>(Neutrons),
              *Density = input<float>(Materials * Nuclides),
              *Table = input<float>(Entries);
  const unsigned char *Material = input<unsigned char>(Neutrons, Materials);
  const float *ByEnergy = arranged(Table, Entries, Entries, [](size_t K) {
    return K % Nuclides * Energies + K / Nuclides;
  });
  float *Expected = output<float>(Neutrons), *Out = output<float>(Neutrons);
  Pair P("cross-sections-energy-major");
  P.same(Expected, Out, Neutrons);
  while (P.next())
    if (P.beforesTurn())
      before<<<Neutrons / 128, 128>>>(Lethargy, Material, Density, Table,
                                      Expected);
    else
      after<<<Neutrons / 128, 128>>>(Lethargy, Material, Density, ByEnergy,
                                     Out);
}

// Rule: cuda-memory-uncoalesced-access
// Divergence of the wind in the hexagons of an atmosphere model, from the six
// edges of each, with 64 levels lying together: a thread walks the levels of a
// hexagon, or neighbouring threads take neighbouring levels.
// Options: --buffer=EdgeOfCell=random,count=245760,below=122880
#include "Pair.cuh"

constexpr int Cells = 40960, Edges = 3 * Cells, Levels = 64, Sides = 6;

__global__ void before(const int *__restrict__ EdgeOfCell,
                       const float *__restrict__ SignedLength,
                       const float *__restrict__ InverseArea,
                       const float *__restrict__ Wind,
                       float *__restrict__ Divergence) {
  const int Cell = blockIdx.x * blockDim.x + threadIdx.x;
  int Edge[Sides];
  float Length[Sides];
  for (int Side = 0; Side < Sides; ++Side) {
    Edge[Side] = EdgeOfCell[Cell * Sides + Side];
    Length[Side] = SignedLength[Cell * Sides + Side];
  }
  const float Scale = InverseArea[Cell];
  for (int Level = 0; Level < Levels; ++Level) {
    float Sum = 0;
    for (int Side = 0; Side < Sides; ++Side)
      Sum += Length[Side] * Wind[Edge[Side] * Levels + Level];
    Divergence[Cell * Levels + Level] = Scale * Sum;
  }
}

__global__ void after(const int *__restrict__ EdgeOfCell,
                      const float *__restrict__ SignedLength,
                      const float *__restrict__ InverseArea,
                      const float *__restrict__ Wind,
                      float *__restrict__ Divergence) {
  const int Cell = blockIdx.x * blockDim.y + threadIdx.y;
  const int Level = threadIdx.x;
  float Sum = 0;
  for (int Side = 0; Side < Sides; ++Side) {
    const int Edge = EdgeOfCell[Cell * Sides + Side];
    const float Length = SignedLength[Cell * Sides + Side];
    Sum += Length * Wind[Edge * Levels + Level];
  }
  Divergence[Cell * Levels + Level] = InverseArea[Cell] * Sum;
}

int main() {
  const int *EdgeOfCell = input<int>(Cells * Sides, Edges);
  const float *SignedLength = input<float>(Cells * Sides),
              *InverseArea = input<float>(Cells),
              *Wind = input<float>(Edges * Levels);
  float *Expected = output<float>(Cells * Levels),
        *Out = output<float>(Cells * Levels);
  Pair P("icosahedral-divergence-levels-on-lanes");
  P.same(Expected, Out, Cells * Levels);
  while (P.next())
    if (P.beforesTurn())
      before<<<Cells / 128, 128>>>(EdgeOfCell, SignedLength, InverseArea, Wind,
                                   Expected);
    else
      after<<<Cells / 4, dim3(Levels, 4)>>>(EdgeOfCell, SignedLength,
                                            InverseArea, Wind, Out);
}

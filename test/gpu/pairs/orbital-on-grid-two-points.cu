// Rule: ?
// A molecular orbital on a grid of 64^3 points, from 96 shells of three
// Gaussians in constant memory: a thread for a point, or for two points that
// share what is loaded. Exponentials are most of the work.
#include "Pair.cuh"

constexpr int Side = 64, Points = Side * Side * Side, Shells = 96;
constexpr float Step = 0.15f;

struct Shell {
  float X, Y, Z, Angular;
  float Exponent[3], Weight[3];
};

__constant__ Shell Basis[Shells];

__global__ void before(float *__restrict__ Orbital) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const float X = Step * (I % Side), Y = Step * (I / Side % Side),
              Z = Step * (I / Side / Side);
  float Sum = 0;
  for (int S = 0; S < Shells; ++S) {
    const float DX = X - Basis[S].X, DY = Y - Basis[S].Y, DZ = Z - Basis[S].Z;
    const float Square = DX * DX + DY * DY + DZ * DZ;
    float Radial = 0;
    for (int G = 0; G < 3; ++G)
      Radial += Basis[S].Weight[G] * __expf(-Basis[S].Exponent[G] * Square);
    Sum += Radial * (1 + Basis[S].Angular * DZ);
  }
  Orbital[I] = Sum;
}

__global__ void after(float *__restrict__ Orbital) {
  // The two points differ in Z alone.
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const float X = Step * (I % Side), Y = Step * (I / Side % Side),
              Z = Step * (I / Side / Side), Above = Z + Step * (Side / 2);
  float Sum = 0, SumAbove = 0;
  for (int S = 0; S < Shells; ++S) {
    const float DX = X - Basis[S].X, DY = Y - Basis[S].Y, DZ = Z - Basis[S].Z,
                DAbove = Above - Basis[S].Z;
    const float Flat = DX * DX + DY * DY;
    const float Square = Flat + DZ * DZ, SquareAbove = Flat + DAbove * DAbove;
    float Radial = 0, RadialAbove = 0;
    for (int G = 0; G < 3; ++G) {
      const float Exponent = -Basis[S].Exponent[G], Weight = Basis[S].Weight[G];
      Radial += Weight * __expf(Exponent * Square);
      RadialAbove += Weight * __expf(Exponent * SquareAbove);
    }
    Sum += Radial * (1 + Basis[S].Angular * DZ);
    SumAbove += RadialAbove * (1 + Basis[S].Angular * DAbove);
  }
  Orbital[I] = Sum;
  Orbital[I + Points / 2] = SumAbove;
}

int main() {
  constexpr int Floats = sizeof(Shell) / sizeof(float);
  const std::vector<float> Noise =
      onHost(input<float>(Shells * Floats), Shells * Floats);
  std::vector<Shell> Table(Shells);
  for (int S = 0; S < Shells; ++S) {
    const float *From = Noise.data() + S * Floats;
    Table[S] = {9.6f * From[0], 9.6f * From[1], 9.6f * From[2], From[3]};
    for (int G = 0; G < 3; ++G) {
      Table[S].Exponent[G] = 0.05f + (1 << 2 * G) * 0.2f * From[4 + G];
      Table[S].Weight[G] = 0.2f + From[7 + G];
    }
  }
  must(cudaMemcpyToSymbol(Basis, Table.data(), Shells * sizeof(Shell)));
  float *Expected = output<float>(Points), *Out = output<float>(Points);
  Pair P("orbital-on-grid-two-points");
  P.same(Expected, Out, Points);
  while (P.next())
    if (P.beforesTurn())
      before<<<Points / 128, 128>>>(Expected);
    else
      after<<<Points / 256, 128>>>(Out);
}

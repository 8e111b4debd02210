// Rule: cuda-memory-uncoalesced-access
// Optical depths of an atmosphere's layers at sixteen spectral points: a thread
// has a layer and walks along the points, so that lanes read rows of the tables
// and write rows of the result 64 bytes apart; or sixteen lanes share a layer,
// each with its point.
#include "Pair.cuh"

constexpr int Columns = 8192, Levels = 60, Layers = Columns * Levels;
constexpr int Points = 16, Pressures = 59, Temperatures = 14;

struct Atmosphere {
  const float *Surface, *Sigma, *Temperature, *Vapour;
};

struct Corners {
  int Row;
  float W00, W01, W10, W11, Dry, Wet;
};

__device__ Corners locate(const Atmosphere &A, int Layer) {
  const float Pressure =
      __ldg(A.Surface + Layer % Columns) * __ldg(A.Sigma + Layer / Columns);
  const float X = fminf(fmaxf((11.6f - __logf(Pressure)) * 5, 0.f),
                        Pressures - 1.01f);
  const float Y = fminf(
      fmaxf((__ldg(A.Temperature + Layer) - 160) * (1 / 15.f), 0.f),
      Temperatures - 1.01f);
  const int Jp = int(X), Jt = int(Y);
  const float Fp = X - Jp, Ft = Y - Jt;
  Corners C;
  C.Row = (Jp * Temperatures + Jt) * Points;
  C.W00 = (1 - Fp) * (1 - Ft);
  C.W01 = (1 - Fp) * Ft;
  C.W10 = Fp * (1 - Ft);
  C.W11 = Fp * Ft;
  C.Wet = __ldg(A.Vapour + Layer) * Pressure * 1e-5f;
  C.Dry = Pressure * 1e-5f - C.Wet;
  return C;
}

__device__ float absorption(const float *__restrict__ Table, const Corners &C,
                            int Point) {
  const float *Row = Table + C.Row + Point;
  return C.W00 * Row[0] + C.W01 * Row[Points] +
         C.W10 * Row[Temperatures * Points] +
         C.W11 * Row[(Temperatures + 1) * Points];
}

__global__ void before(Atmosphere A, const float *__restrict__ Major,
                       const float *__restrict__ Continuum,
                       float *__restrict__ Depth) {
  const int Layer = blockIdx.x * blockDim.x + threadIdx.x;
  const Corners C = locate(A, Layer);
  for (int Point = 0; Point < Points; ++Point)
    Depth[Layer * Points + Point] = C.Dry * absorption(Major, C, Point) +
                                    C.Wet * absorption(Continuum, C, Point);
}

__global__ void after(Atmosphere A, const float *__restrict__ Major,
                      const float *__restrict__ Continuum,
                      float *__restrict__ Depth) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const int Layer = I / Points, Point = I % Points;
  const Corners C = locate(A, Layer);
  Depth[I] = C.Dry * absorption(Major, C, Point) +
             C.Wet * absorption(Continuum, C, Point);
}

int main() {
  std::vector<float> Surface(Columns), Sigma(Levels), Temperature(Layers);
  for (int I = 0; I < Columns; ++I)
    Surface[I] = 90e3f + mixed(I) * (13e3f / 4294967296.f);
  for (int I = 0; I < Levels; ++I)
    Sigma[I] = std::exp(-0.13f * I);
  for (int I = 0; I < Layers; ++I)
    Temperature[I] = 290 - 1.4f * (I / Columns) + mixed(I) * (40 / 4294967296.f);
  const Atmosphere A = {onDevice(Surface), onDevice(Sigma),
                        onDevice(Temperature), input<float>(Layers)};
  constexpr int TableSize = Pressures * Temperatures * Points;
  const float *Tables = input<float>(2 * TableSize);
  float *Expected = output<float>(Layers * Points),
        *Out = output<float>(Layers * Points);
  Pair P("gas-optics-spectral-points-on-lanes");
  P.same(Expected, Out, Layers * Points);
  while (P.next())
    if (P.beforesTurn())
      before<<<Layers / 128, 128>>>(A, Tables, Tables + TableSize, Expected);
    else
      after<<<Layers * Points / 256, 256>>>(A, Tables, Tables + TableSize, Out);
}

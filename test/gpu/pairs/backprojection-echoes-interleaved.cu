// Rule: cuda-memory-split-gather
// Synthetic aperture radar: each pixel sums the echo at its range of every
// pulse, interpolated and turned by its phase. The real and imaginary parts of
// the echoes lie in two planes, or side by side.
#include "Pair.cuh"

constexpr int Size = 512, Pulses = 256, Bins = 1024;
constexpr float Spacing = 0.5f, FirstRange = 950, BinsPerMetre = 3;
constexpr float PhasePerMetre = 12.5f;

struct Pulse {
  float X, Y, Z;
  float Delay;
};

struct Sample {
  int Bin;
  float Fraction, Cos, Sin;
};

__device__ inline Sample sampleOf(const Pulse &At, float X, float Y) {
  const float DX = At.X - X, DY = At.Y - Y;
  const float Range = sqrtf(DX * DX + DY * DY + At.Z * At.Z) + At.Delay;
  const float Place = (Range - FirstRange) * BinsPerMetre;
  Sample S;
  S.Bin = int(Place);
  S.Fraction = Place - S.Bin;
  __sincosf(PhasePerMetre * (Range - FirstRange), &S.Sin, &S.Cos);
  return S;
}

__global__ void before(const Pulse *__restrict__ Track,
                       const float *__restrict__ Real,
                       const float *__restrict__ Imaginary,
                       float2 *__restrict__ Image) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x;
  const int Y = blockIdx.y * blockDim.y + threadIdx.y;
  float2 Sum = make_float2(0, 0);
  for (int P = 0; P < Pulses; ++P) {
    const Sample S = sampleOf(Track[P], X * Spacing, Y * Spacing);
    if (S.Bin < 0 || S.Bin >= Bins - 1)
      continue;
    const int I = P * Bins + S.Bin;
    const float R = Real[I] + S.Fraction * (Real[I + 1] - Real[I]);
    const float J =
        Imaginary[I] + S.Fraction * (Imaginary[I + 1] - Imaginary[I]);
    Sum.x += R * S.Cos - J * S.Sin;
    Sum.y += R * S.Sin + J * S.Cos;
  }
  Image[Y * Size + X] = Sum;
}

__global__ void after(const Pulse *__restrict__ Track,
                      const float2 *__restrict__ Echoes,
                      float2 *__restrict__ Image) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x;
  const int Y = blockIdx.y * blockDim.y + threadIdx.y;
  float2 Sum = make_float2(0, 0);
  for (int P = 0; P < Pulses; ++P) {
    const Sample S = sampleOf(Track[P], X * Spacing, Y * Spacing);
    if (S.Bin < 0 || S.Bin >= Bins - 1)
      continue;
    const int I = P * Bins + S.Bin;
    const float2 Near = Echoes[I], Far = Echoes[I + 1];
    const float R = Near.x + S.Fraction * (Far.x - Near.x);
    const float J = Near.y + S.Fraction * (Far.y - Near.y);
    Sum.x += R * S.Cos - J * S.Sin;
    Sum.y += R * S.Sin + J * S.Cos;
  }
  Image[Y * Size + X] = Sum;
}

int main() {
  constexpr size_t Count = size_t(Pulses) * Bins;
  const float *Planes = input<float>(2 * Count);
  const float *Echoes = arranged(Planes, 2 * Count, 2 * Count, [](size_t I) {
    return I % 2 * Count + I / 2;
  });
  std::vector<Pulse> Host(Pulses);
  for (int P = 0; P < Pulses; ++P)
    Host[P] = {P * 1.0f, -700.0f, 700.0f + mixed(P) % 5, 0.01f * P};
  const Pulse *Track = onDevice(Host);
  float *Expected = output<float>(2 * Size * Size),
        *Out = output<float>(2 * Size * Size);
  Pair P("backprojection-echoes-interleaved");
  P.same(Expected, Out, 2 * Size * Size);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Size / 32, Size / 8), dim3(32, 8)>>>(
          Track, Planes, Planes + Count, (float2 *)Expected);
    else
      after<<<dim3(Size / 32, Size / 8), dim3(32, 8)>>>(
          Track, (const float2 *)Echoes, (float2 *)Out);
}

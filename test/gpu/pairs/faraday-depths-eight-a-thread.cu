// Rule: cuda-memory-single-result
// Rotation-measure synthesis: for each pixel and Faraday depth, the channels'
// polarisation turned back and summed. A thread reads a pixel's channels for
// one depth or for eight of them.
#include "Pair.cuh"

constexpr int Pixels = 128 * 128, Channels = 256, Depths = 128, Each = 8;

/// Adds (Q + iU) times the unit vector \p Turn.
__device__ void addTurned(float2 &Sum, float Q, float U, float2 Turn) {
  Sum.x += Q * Turn.x - U * Turn.y;
  Sum.y += Q * Turn.y + U * Turn.x;
}

__global__ void before(const float *__restrict__ Q, const float *__restrict__ U,
                       const float2 *__restrict__ Turns,
                       float2 *__restrict__ Spectrum) {
  const int Pixel = blockIdx.x * blockDim.x + threadIdx.x;
  const int Depth = blockIdx.y;
  const float2 *Turn = Turns + Depth * Channels;
  float2 Sum = {0, 0};
#pragma unroll 4
  for (int C = 0; C < Channels; ++C)
    addTurned(Sum, Q[C * Pixels + Pixel], U[C * Pixels + Pixel], Turn[C]);
  Spectrum[Depth * Pixels + Pixel] = Sum;
}

__global__ void after(const float *__restrict__ Q, const float *__restrict__ U,
                      const float2 *__restrict__ Turns,
                      float2 *__restrict__ Spectrum) {
  const int Pixel = blockIdx.x * blockDim.x + threadIdx.x;
  const int Depth = blockIdx.y * Each;
  const float2 *Turn = Turns + Depth * Channels;
  float2 Sum[Each] = {};
#pragma unroll 4
  for (int C = 0; C < Channels; ++C) {
    const float Qc = Q[C * Pixels + Pixel], Uc = U[C * Pixels + Pixel];
#pragma unroll
    for (int D = 0; D < Each; ++D)
      addTurned(Sum[D], Qc, Uc, Turn[D * Channels + C]);
  }
#pragma unroll
  for (int D = 0; D < Each; ++D)
    Spectrum[(Depth + D) * Pixels + Pixel] = Sum[D];
}

int main() {
  const float *Q = input<float>(2 * Channels * Pixels),
              *U = Q + Channels * Pixels;
  std::vector<float2> Turns(Depths * Channels);
  for (int D = 0; D < Depths; ++D)
    for (int C = 0; C < Channels; ++C) {
      const double Wavelength = 0.21 / (1 + 0.001 * C),
                   Phase = -2.0 * (10 * D - 640) *
                           (Wavelength * Wavelength - 0.035);
      Turns[D * Channels + C] = {float(std::cos(Phase) / 16),
                                 float(std::sin(Phase) / 16)};
    }
  const float2 *TurnsThere = onDevice(Turns);
  float *Expected = output<float>(2 * Depths * Pixels),
        *Out = output<float>(2 * Depths * Pixels);
  Pair P("faraday-depths-eight-a-thread");
  P.same(Expected, Out, 2 * Depths * Pixels);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Pixels / 256, Depths), 256>>>(Q, U, TurnsThere,
                                                  (float2 *)Expected);
    else
      after<<<dim3(Pixels / 256, Depths / Each), 256>>>(Q, U, TurnsThere,
                                                        (float2 *)Out);
}

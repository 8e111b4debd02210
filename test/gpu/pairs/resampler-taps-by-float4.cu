// Rule: cuda-memory-scalar-stream
// Resamples stereo sound from 48 to 44.1 kHz by a polyphase filter. Each thread
// walks the taps of its phase, by single floats or by float4.
#include "Pair.cuh"

constexpr int Up = 147, Down = 160, Taps = 32;
constexpr int Results = Up * 8192, Frames = Results / Up * Down + Taps;

__global__ void before(const float2 *__restrict__ In,
                       const float *__restrict__ Filter,
                       float2 *__restrict__ Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Results)
    return;
  const int Ticks = I * Down;
  const float *Phase = Filter + Ticks % Up * Taps;
  const float2 *From = In + Ticks / Up;
  float Left = 0, Right = 0;
#pragma unroll 8
  for (int K = 0; K < Taps; ++K) {
    const float2 Frame = From[K];
    Left += Phase[K] * Frame.x;
    Right += Phase[K] * Frame.y;
  }
  Out[I] = make_float2(Left, Right);
}

__global__ void after(const float2 *__restrict__ In,
                      const float4 *__restrict__ Filter,
                      float2 *__restrict__ Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Results)
    return;
  const int Ticks = I * Down;
  const float4 *Phase = Filter + Ticks % Up * (Taps / 4);
  const float2 *From = In + Ticks / Up;
  float Left = 0, Right = 0;
#pragma unroll 2
  for (int K = 0; K < Taps; K += 4) {
    const float4 Tap = Phase[K / 4];
    const float2 A = From[K], B = From[K + 1], C = From[K + 2], D = From[K + 3];
    Left += Tap.x * A.x;
    Right += Tap.x * A.y;
    Left += Tap.y * B.x;
    Right += Tap.y * B.y;
    Left += Tap.z * C.x;
    Right += Tap.z * C.y;
    Left += Tap.w * D.x;
    Right += Tap.w * D.y;
  }
  Out[I] = make_float2(Left, Right);
}

int main() {
  std::vector<float> Host(Up * Taps);
  for (int Phase = 0; Phase < Up; ++Phase)
    for (int K = 0; K < Taps; ++K) {
      const double X = K - Taps / 2 + 1 - double(Phase) / Up;
      const double Sinc = X == 0 ? 1 : std::sin(M_PI * X) / (M_PI * X);
      Host[Phase * Taps + K] =
          float(Sinc * (0.5 + 0.5 * std::cos(2 * M_PI * X / Taps)));
    }
  const float *Filter = onDevice(Host);
  const float2 *In = (const float2 *)input<float>(2 * size_t(Frames));
  float *Expected = output<float>(2 * size_t(Results)),
        *Out = output<float>(2 * size_t(Results));
  Pair P("resampler-taps-by-float4");
  P.same(Expected, Out, 2 * size_t(Results));
  while (P.next())
    if (P.beforesTurn())
      before<<<(Results + 127) / 128, 128>>>(In, Filter, (float2 *)Expected);
    else
      after<<<(Results + 127) / 128, 128>>>(In, (const float4 *)Filter,
                                            (float2 *)Out);
}

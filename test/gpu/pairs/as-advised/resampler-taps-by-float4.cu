// Rule: cuda-memory-uncoalesced-access
// Resamples stereo sound from 48 to 44.1 kHz by a polyphase filter. Each thread
// walks the taps of its phase. As advised, the lanes of a warp walk side by
// side: the filter is transposed, its phases in the order of the results.
#include "../Pair.cuh"

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
                      const float *__restrict__ Filter,
                      float2 *__restrict__ Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Results)
    return;
  const int Ticks = I * Down;
  const float *Phase = Filter + I % Up;
  const float2 *From = In + Ticks / Up;
  float Left = 0, Right = 0;
#pragma unroll 8
  for (int K = 0; K < Taps; ++K) {
    const float2 Frame = From[K];
    Left += Phase[K * Up] * Frame.x;
    Right += Phase[K * Up] * Frame.y;
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
  // Tap I / Up of the phase that results I % Up, I % Up + Up, ... have.
  const float *Turned = arranged(Filter, Up * Taps, Up * Taps, [](size_t I) {
    return I % Up * Down % Up * Taps + I / Up;
  });
  const float2 *In = (const float2 *)input<float>(2 * size_t(Frames));
  float *Expected = output<float>(2 * size_t(Results)),
        *Out = output<float>(2 * size_t(Results));
  Pair P("resampler-taps-by-float4-as-advised");
  P.same(Expected, Out, 2 * size_t(Results));
  while (P.next())
    if (P.beforesTurn())
      before<<<(Results + 127) / 128, 128>>>(In, Filter, (float2 *)Expected);
    else
      after<<<(Results + 127) / 128, 128>>>(In, Turned, (float2 *)Out);
}

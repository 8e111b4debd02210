// Rule: cuda-memory-redundant-round-trip
// Colours of a picture are made more vivid by way of hue, saturation and
// value, which go to planes in memory between, or stay in registers.
#include "Pair.cuh"

constexpr int N = 1920 * 1080;

struct Colour {
  float A, B, C;
};

__device__ Colour toHue(Colour In) {
  const float Most = fmaxf(In.A, fmaxf(In.B, In.C)),
              Range = Most - fminf(In.A, fminf(In.B, In.C)) + 1e-6f;
  const float Hue = Most == In.A   ? (In.B - In.C) / Range
                    : Most == In.B ? (In.C - In.A) / Range + 2
                                   : (In.A - In.B) / Range + 4;
  return {Hue < 0 ? Hue + 6 : Hue, Range / (Most + 1e-6f), Most};
}

__device__ float channel(Colour Hsv, float Shift) {
  const float Turned = Hsv.A + Shift;
  const float K = Turned >= 6 ? Turned - 6 : Turned;
  return Hsv.C - Hsv.C * Hsv.B * __saturatef(fminf(K, 4 - K));
}

__device__ Colour vivid(Colour Hsv) {
  Hsv.B = __saturatef(1.3f * Hsv.B);
  return {channel(Hsv, 5), channel(Hsv, 3), channel(Hsv, 1)};
}

__device__ void put(float *To, int I, Colour C) {
  To[I] = C.A, To[N + I] = C.B, To[2 * N + I] = C.C;
}

__device__ Colour get(const float *From, int I) {
  return {From[I], From[N + I], From[2 * N + I]};
}

__global__ void before(const float *In, float *Hues, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  put(Hues, I, toHue(get(In, I)));
  put(Out, I, vivid(get(Hues, I)));
}

__global__ void after(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  put(Out, I, vivid(toHue(get(In, I))));
}

int main() {
  const float *In = input<float>(3 * N);
  float *Hues = output<float>(3 * N);
  float *Expected = output<float>(3 * N), *Out = output<float>(3 * N);
  Pair P("hue-kept-in-registers");
  P.same(Expected, Out, 3 * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(In, Hues, Expected);
    else
      after<<<N / 256, 256>>>(In, Out);
}

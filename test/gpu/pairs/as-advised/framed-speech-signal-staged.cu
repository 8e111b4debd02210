// Rule: cuda-memory-narrow-access
// 16-bit speech cut into overlapping frames of 400 samples, 160 apart, with
// pre-emphasis and a window. As advised, a thread handles two neighbouring
// samples as a short2, and a block handles 16 frames rather than eight.
#include "../Pair.cuh"

constexpr int Frames = 1 << 16, Length = 400, Hop = 160;
constexpr int PerBlock = 8, Block = 128;

__global__ void before(const short *__restrict__ Signal,
                       const float *__restrict__ Window,
                       float *__restrict__ Framed) {
  const size_t First = blockIdx.x * size_t(PerBlock);
  for (int I = threadIdx.x; I < PerBlock * Length; I += Block) {
    const int F = I / Length, S = I % Length;
    const short *At = Signal + (First + F) * Hop + S;
    Framed[First * Length + I] = (At[1] - 0.97f * At[0]) * Window[S];
  }
}

__global__ void after(const short *__restrict__ Signal,
                      const float *__restrict__ Window,
                      float *__restrict__ Framed) {
  const size_t First = blockIdx.x * size_t(2 * PerBlock);
  for (int I = 2 * threadIdx.x; I < 2 * PerBlock * Length; I += 2 * Block) {
    // Frames begin at even samples and have an even length.
    const int F = I / Length, S = I % Length;
    const short *At = Signal + (First + F) * Hop + S;
    const short2 Two = *reinterpret_cast<const short2 *>(At);
    const float2 Weight = *reinterpret_cast<const float2 *>(Window + S);
    *reinterpret_cast<float2 *>(Framed + First * Length + I) = make_float2(
        (Two.y - 0.97f * Two.x) * Weight.x, (At[2] - 0.97f * Two.y) * Weight.y);
  }
}

int main() {
  const short *Signal =
      input<short>(size_t(Frames - 1) * Hop + Length + 1, 20000);
  const float *Window = input<float>(Length);
  constexpr int Count = Frames * Length;
  float *Expected = output<float>(Count), *Out = output<float>(Count);
  Pair P("framed-speech-signal-staged-as-advised");
  P.same(Expected, Out, Count);
  while (P.next())
    if (P.beforesTurn())
      before<<<Frames / PerBlock, Block>>>(Signal, Window, Expected);
    else
      after<<<Frames / PerBlock / 2, Block>>>(Signal, Window, Out);
}

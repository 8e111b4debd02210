// Rule: cuda-memory-missing-reuse
// 16-bit speech cut into overlapping frames of 400 samples, 160 apart, with
// pre-emphasis and a window: a block reads the samples of its eight frames as
// they are needed, or once, into shared memory.
#include "Pair.cuh"

constexpr int Frames = 1 << 16, Length = 400, Hop = 160;
constexpr int PerBlock = 8, Block = 128;
constexpr int Span = (PerBlock - 1) * Hop + Length + 1;

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
  __shared__ short Near[Span];
  const size_t First = blockIdx.x * size_t(PerBlock);
  for (int I = threadIdx.x; I < Span; I += Block)
    Near[I] = Signal[First * Hop + I];
  __syncthreads();
  for (int I = threadIdx.x; I < PerBlock * Length; I += Block) {
    const int F = I / Length, S = I % Length;
    const short *At = Near + F * Hop + S;
    Framed[First * Length + I] = (At[1] - 0.97f * At[0]) * Window[S];
  }
}

int main() {
  const short *Signal =
      input<short>(size_t(Frames - 1) * Hop + Length + 1, 20000);
  const float *Window = input<float>(Length);
  constexpr int Count = Frames * Length;
  float *Expected = output<float>(Count), *Out = output<float>(Count);
  Pair P("framed-speech-signal-staged");
  P.same(Expected, Out, Count);
  while (P.next())
    if (P.beforesTurn())
      before<<<Frames / PerBlock, Block>>>(Signal, Window, Expected);
    else
      after<<<Frames / PerBlock, Block>>>(Signal, Window, Out);
}

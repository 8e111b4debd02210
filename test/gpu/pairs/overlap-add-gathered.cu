// Rule: cuda-memory-atomic-contention
// Frames of sound that overlap fourfold become one stream: each sample of a
// frame is added atomically, or a sample of the stream fetches its four.
#include "Pair.cuh"

constexpr int Frames = 8192, Length = 1024, Hop = 256;
constexpr int Samples = (Frames - 1) * Hop + Length;

__global__ void before(const float *Frame, const float *Window, float *Stream) {
  const int F = blockIdx.x, T = threadIdx.x;
  for (int I = T; I < Length; I += 256)
    atomicAdd(&Stream[F * Hop + I], Window[I] * Frame[F * Length + I]);
}

__global__ void after(const float *Frame, const float *Window, float *Stream) {
  const int Last = blockIdx.x, T = threadIdx.x;
  float Sum = 0;
  for (int Back = 0; Back < Length / Hop; ++Back)
    if (Last - Back >= 0 && Last - Back < Frames)
      Sum += Window[Back * Hop + T] *
             Frame[(Last - Back) * Length + Back * Hop + T];
  Stream[Last * Hop + T] = Sum;
}

int main() {
  const float *Frame = input<float>(Frames * Length),
              *Window = input<float>(Length);
  float *Expected = output<float>(Samples), *Out = output<float>(Samples);
  Pair P("overlap-add-gathered");
  P.same(Expected, Out, Samples);
  while (P.next())
    if (P.beforesTurn())
      before<<<Frames, 256>>>(Frame, Window, Expected);
    else
      after<<<Samples / Hop, 256>>>(Frame, Window, Out);
}

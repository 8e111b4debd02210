// Rule: cuda-memory-uncoalesced-access
// The decoder of a neural audio codec adds up, for each frame, the vectors that
// eight residual codebooks hold for its codes: a thread for each frame, or
// the 128 dimensions of a frame on neighbouring threads.
#include "Pair.cuh"

constexpr int Frames = 60003, Books = 8, Entries = 1024, Dims = 128;

__global__ void before(const short *__restrict__ Codes,
                       const float *__restrict__ Table,
                       float *__restrict__ Latents) {
  const int F = blockIdx.x * blockDim.x + threadIdx.x;
  if (F >= Frames)
    return;
  const float *Rows[Books];
#pragma unroll
  for (int B = 0; B < Books; ++B)
    Rows[B] = Table + (B * Entries + Codes[B * Frames + F]) * Dims;
  for (int D = 0; D < Dims; ++D) {
    float Sum = 0;
#pragma unroll
    for (int B = 0; B < Books; ++B)
      Sum += Rows[B][D];
    Latents[F * Dims + D] = Sum;
  }
}

__global__ void after(const short *__restrict__ Codes,
                      const float *__restrict__ Table,
                      float *__restrict__ Latents) {
  const int F = blockIdx.x * blockDim.y + threadIdx.y, D = threadIdx.x;
  if (F >= Frames)
    return;
  float Sum = 0;
#pragma unroll
  for (int B = 0; B < Books; ++B)
    Sum += Table[(B * Entries + Codes[B * Frames + F]) * Dims + D];
  Latents[F * Dims + D] = Sum;
}

int main() {
  const short *Codes = input<short>(Books * Frames, Entries);
  const float *Table = input<float>(Books * Entries * Dims);
  float *Expected = output<float>(Frames * Dims),
        *Out = output<float>(Frames * Dims);
  Pair P("codec-frames-dimensions-on-lanes");
  P.same(Expected, Out, Frames * Dims);
  const dim3 Block(Dims, 2);
  while (P.next())
    if (P.beforesTurn())
      before<<<(Frames + 127) / 128, 128>>>(Codes, Table, Expected);
    else
      after<<<(Frames + 1) / 2, Block>>>(Codes, Table, Out);
}

// Rule: cuda-memory-bank-conflict
// Autocorrelation of windowed audio for a lossless coder's predictor: a thread
// walks along its subframe of 128 samples in shared memory. The remedy pads the
// rows by one word, so that the lanes' samples lie in different banks.
#include "Pair.cuh"

constexpr int Samples = 128, Frames = 1 << 17, Block = 64, Order = 8;

template <int Pitch>
__device__ void autocorrelate(const short *Sound, const float *Window,
                              float *Lags) {
  __shared__ float Rows[Block][Pitch];
  const short *Mine = Sound + size_t(blockIdx.x) * Block * Samples;
  for (int I = threadIdx.x; I < Block * Samples; I += Block)
    Rows[I / Samples][I % Samples] = Mine[I] * Window[I % Samples];
  __syncthreads();
  float Past[Order] = {}, Sums[Order + 1] = {};
#pragma unroll 8
  for (int I = 0; I < Samples; ++I) {
    const float Now = Rows[threadIdx.x][I];
    Sums[0] += Now * Now;
#pragma unroll
    for (int L = Order; L > 0; --L)
      Sums[L] += Now * Past[L - 1];
#pragma unroll
    for (int L = Order - 1; L > 0; --L)
      Past[L] = Past[L - 1];
    Past[0] = Now;
  }
#pragma unroll
  for (int L = 0; L <= Order; ++L)
    Lags[L * Frames + blockIdx.x * Block + threadIdx.x] = Sums[L];
}

__global__ void before(const short *__restrict__ Sound,
                       const float *__restrict__ Window,
                       float *__restrict__ Lags) {
  autocorrelate<Samples>(Sound, Window, Lags);
}

__global__ void after(const short *__restrict__ Sound,
                      const float *__restrict__ Window,
                      float *__restrict__ Lags) {
  autocorrelate<Samples + 1>(Sound, Window, Lags);
}

int main() {
  const short *Sound = input<short>(Frames * Samples, 2000);
  const float *Window = input<float>(Samples);
  constexpr int N = (Order + 1) * Frames;
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("flac-autocorrelation-padded");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<Frames / Block, Block>>>(Sound, Window, Expected);
    else
      after<<<Frames / Block, Block>>>(Sound, Window, Out);
}

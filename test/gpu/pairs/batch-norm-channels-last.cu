// Rule: cuda-memory-uncoalesced-access
// Sums and squares per channel of a tensor whose channels are innermost: a
// block has a channel, or its lanes have neighbouring channels and its rows of
// threads the pixels.
#include "Pair.cuh"

constexpr int Pixels = 16384, Channels = 256;

__global__ void before(const float *In, float *Sums, float *Squares) {
  __shared__ float Part[2][256];
  const int C = blockIdx.x, T = threadIdx.x;
  float Sum = 0, Square = 0;
  for (int P = T; P < Pixels; P += 256) {
    const float V = In[P * Channels + C];
    Sum += V;
    Square += V * V;
  }
  Part[0][T] = Sum;
  Part[1][T] = Square;
  for (int Step = 128; Step > 0; Step /= 2) {
    __syncthreads();
    if (T < Step) {
      Part[0][T] += Part[0][T + Step];
      Part[1][T] += Part[1][T + Step];
    }
  }
  if (T == 0) {
    Sums[C] = Part[0][0];
    Squares[C] = Part[1][0];
  }
}

__global__ void after(const float *In, float *Sums, float *Squares) {
  __shared__ float Part[2][8][32];
  const int X = threadIdx.x, Y = threadIdx.y;
  const int C = blockIdx.x * 32 + X, Each = Pixels / gridDim.y;
  float Sum = 0, Square = 0;
  for (int P = blockIdx.y * Each + Y; P < (blockIdx.y + 1) * Each; P += 8) {
    const float V = In[P * Channels + C];
    Sum += V;
    Square += V * V;
  }
  Part[0][Y][X] = Sum;
  Part[1][Y][X] = Square;
  __syncthreads();
  if (Y > 1)
    return;
  Sum = 0;
  for (int I = 0; I < 8; ++I)
    Sum += Part[Y][I][X];
  atomicAdd(Y ? &Squares[C] : &Sums[C], Sum);
}

int main() {
  const float *In = input<float>(Pixels * Channels);
  float *Expected = output<float>(2 * Channels),
        *Out = output<float>(2 * Channels);
  Pair P("batch-norm-channels-last");
  P.same(Expected, Out, 2 * Channels);
  while (P.next())
    if (P.beforesTurn())
      before<<<Channels, 256>>>(In, Expected, Expected + Channels);
    else
      after<<<dim3(Channels / 32, 64), dim3(32, 8)>>>(In, Out, Out + Channels);
}

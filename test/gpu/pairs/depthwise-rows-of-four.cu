// Rule: cuda-memory-single-result
// A layer that filters each channel by 3x3 weights of its own: a thread has one
// result, or four below each other and keeps the rows that they share.
#include "Pair.cuh"

constexpr int Channels = 64, Images = 4, Size = 112;

template <int Rows>
__device__ void filter(const float *In, const float *Weights, float *Out,
                       int Size, int Channels) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x;
  const int Y = (blockIdx.y * blockDim.y + threadIdx.y) * Rows;
  const int Plane = blockIdx.z, Pitch = Size + 2;
  if (X >= Size || Y >= Size)
    return;
  const float *W = Weights + Plane % Channels * 9;
  const float *From = In + (Plane * Pitch + Y) * Pitch + X;
  float V[Rows + 2][3];
#pragma unroll
  for (int R = 0; R < Rows + 2; ++R)
#pragma unroll
    for (int C = 0; C < 3; ++C)
      V[R][C] = From[R * Pitch + C];
#pragma unroll
  for (int I = 0; I < Rows; ++I) {
    float Sum = 0;
#pragma unroll
    for (int K = 0; K < 9; ++K)
      Sum += W[K] * V[I + K / 3][K % 3];
    Out[(Plane * Size + Y + I) * Size + X] = fmaxf(Sum, 0);
  }
}

__global__ void before(const float *__restrict__ In,
                       const float *__restrict__ Weights,
                       float *__restrict__ Out, int Size, int Channels) {
  filter<1>(In, Weights, Out, Size, Channels);
}

__global__ void after(const float *__restrict__ In,
                      const float *__restrict__ Weights,
                      float *__restrict__ Out, int Size, int Channels) {
  filter<4>(In, Weights, Out, Size, Channels);
}

int main() {
  constexpr int Planes = Images * Channels;
  const float *In = input<float>(Planes * (Size + 2) * (Size + 2)),
              *Weights = input<float>(Channels * 9);
  float *Expected = output<float>(Planes * Size * Size),
        *Out = output<float>(Planes * Size * Size);
  Pair P("depthwise-rows-of-four");
  P.same(Expected, Out, Planes * Size * Size);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(4, Size / 8, Planes), dim3(32, 8)>>>(In, Weights, Expected,
                                                         Size, Channels);
    else
      after<<<dim3(4, (Size + 31) / 32, Planes), dim3(32, 8)>>>(
          In, Weights, Out, Size, Channels);
}

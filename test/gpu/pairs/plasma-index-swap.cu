// Rule: cuda-memory-uncoalesced-access
// A picture of 24 waves that is computed, not loaded: neighbouring threads have
// pixels below each other, or beside each other.
#include "Pair.cuh"

constexpr int Width = 2048, Height = 2048;

__device__ unsigned pixel(int X, int Y, float Time, int Waves) {
  const float U = X * (6.0f / Width), V = Y * (6.0f / Height);
  float R = 0, G = 0;
  for (int W = 1; W <= Waves; ++W) {
    const float A = sinf(U * W + Time), B = cosf(V * W - Time);
    R += A * B / W;
    G += (A - B) / (W + 1);
  }
  const unsigned Red = 127.5f + 60 * R / (1 + fabsf(R));
  const unsigned Green = 127.5f + 60 * G / (1 + fabsf(G));
  return 0xff000000 | Green << 8 | Red;
}

__global__ void before(unsigned *Out, float Time, int Waves) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const int X = I / Height, Y = I % Height;
  Out[Y * Width + X] = pixel(X, Y, Time, Waves);
}

__global__ void after(unsigned *Out, float Time, int Waves) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const int Y = I / Width, X = I % Width;
  Out[Y * Width + X] = pixel(X, Y, Time, Waves);
}

int main() {
  unsigned *Expected = output<unsigned>(Width * Height),
           *Out = output<unsigned>(Width * Height);
  Pair P("plasma-index-swap");
  P.same(Expected, Out, Width * Height);
  while (P.next())
    if (P.beforesTurn())
      before<<<Width * Height / 256, 256>>>(Expected, 0.7f, 24);
    else
      after<<<Width * Height / 256, 256>>>(Out, 0.7f, 24);
}

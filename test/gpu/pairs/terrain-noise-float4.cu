// Rule: cuda-memory-scalar-stream
// Height field of a game's landscape from six octaves of gradient noise, a
// point for each thread or four, which are stored as one float4.
#include "Pair.cuh"

constexpr int Width = 2048, Height = 2048, Octaves = 6, Block = 256;

__device__ float corner(int X, int Y, float Dx, float Dy) {
  unsigned Hash = X * 0x8da6b343u ^ Y * 0xd8163841u;
  Hash = (Hash ^ Hash >> 13) * 0x5bd1e995u;
  Hash ^= Hash >> 15;
  const float Gx = (Hash & 0xffff) * (1 / 32768.f) - 1;
  const float Gy = (Hash >> 16) * (1 / 32768.f) - 1;
  return Gx * Dx + Gy * Dy;
}

__device__ float fade(float T) { return T * T * T * (T * (T * 6 - 15) + 10); }

__device__ float noise(float U, float V) {
  const float FloorU = floorf(U), FloorV = floorf(V);
  const int X = int(FloorU), Y = int(FloorV);
  U -= FloorU;
  V -= FloorV;
  const float A = corner(X, Y, U, V), B = corner(X + 1, Y, U - 1, V),
              C = corner(X, Y + 1, U, V - 1),
              D = corner(X + 1, Y + 1, U - 1, V - 1);
  const float Across = fade(U);
  const float Top = A + Across * (B - A), Bottom = C + Across * (D - C);
  return Top + fade(V) * (Bottom - Top);
}

// Each octave is turned against the last, to hide the lattice.
__device__ float height(int X, int Y) {
  float U = 0.0104f * X + 0.0078f * Y, V = 0.0104f * Y - 0.0078f * X;
  float Sum = 0, Scale = 10;
  for (int O = 0; O < Octaves; ++O) {
    Sum += Scale * noise(U, V);
    const float Old = U;
    U = 1.6f * Old + 1.2f * V;
    V = 1.6f * V - 1.2f * Old;
    Scale *= 0.5f;
  }
  return Sum;
}

__global__ void before(float *Heights) {
  const int I = blockIdx.x * Block + threadIdx.x;
  Heights[I] = height(I % Width, I / Width);
}

__global__ void after(float4 *Heights) {
  const int I = blockIdx.x * Block + threadIdx.x;
  const int X = 4 * I % Width, Y = 4 * I / Width;
  Heights[I] = make_float4(height(X, Y), height(X + 1, Y), height(X + 2, Y),
                           height(X + 3, Y));
}

int main() {
  constexpr int Count = Width * Height;
  float *Expected = output<float>(Count), *Out = output<float>(Count);
  Pair P("terrain-noise-float4");
  P.same(Expected, Out, Count);
  while (P.next())
    if (P.beforesTurn())
      before<<<Count / Block, Block>>>(Expected);
    else
      after<<<Count / Block / 4, Block>>>((float4 *)Out);
}

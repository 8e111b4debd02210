// Rule: cuda-memory-narrow-access
// Edges of an image of bytes: a thread has one pixel, or four of a row, which
// come and go as a word.
#include "Pair.cuh"

constexpr int Width = 4096, Height = 2048, Pitch = Width + 8;

__device__ unsigned char edge(int A, int B, int C, int D, int F, int G, int H,
                              int I) {
  const int DX = C + 2 * F + I - A - 2 * D - G;
  const int DY = G + 2 * H + I - A - 2 * B - C;
  return min(abs(DX) + abs(DY), 255);
}

// A border of a row and of four columns lies around the image.
__global__ void before(const unsigned char *In, unsigned char *Out, int Width,
                       int Pitch) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x;
  const int Y = blockIdx.y * blockDim.y + threadIdx.y;
  const unsigned char *P = In + Y * Pitch + X + 4;
  const unsigned char *Q = P + Pitch, *R = Q + Pitch;
  Out[Y * Width + X] = edge(P[-1], P[0], P[1], Q[-1], Q[1], R[-1], R[0], R[1]);
}

__global__ void after(const unsigned char *In, unsigned char *Out, int Width,
                      int Pitch) {
  const int X = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  const int Y = blockIdx.y * blockDim.y + threadIdx.y;
  int V[3][6];
#pragma unroll
  for (int R = 0; R < 3; ++R) {
    const unsigned char *P = In + (Y + R) * Pitch + X + 4;
    const uchar4 Four = *reinterpret_cast<const uchar4 *>(P);
    V[R][0] = P[-1];
    V[R][1] = Four.x;
    V[R][2] = Four.y;
    V[R][3] = Four.z;
    V[R][4] = Four.w;
    V[R][5] = P[4];
  }
  unsigned char E[4];
#pragma unroll
  for (int I = 0; I < 4; ++I)
    E[I] = edge(V[0][I], V[0][I + 1], V[0][I + 2], V[1][I], V[1][I + 2],
                V[2][I], V[2][I + 1], V[2][I + 2]);
  *reinterpret_cast<uchar4 *>(Out + Y * Width + X) =
      make_uchar4(E[0], E[1], E[2], E[3]);
}

int main() {
  const unsigned char *In = input<unsigned char>(Pitch * (Height + 2), 256);
  unsigned char *Expected = output<unsigned char>(Width * Height),
                *Out = output<unsigned char>(Width * Height);
  Pair P("sobel-pixels-of-four");
  P.same(Expected, Out, Width * Height);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Width / 32, Height / 8), dim3(32, 8)>>>(In, Expected, Width,
                                                            Pitch);
    else
      after<<<dim3(Width / 128, Height / 8), dim3(32, 8)>>>(In, Out, Width,
                                                            Pitch);
}

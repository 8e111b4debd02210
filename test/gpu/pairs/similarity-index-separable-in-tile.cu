// Rule: cuda-memory-missing-reuse
// The map of structural similarity (SSIM) of two frames: five moments weighted
// by a Gaussian of 11 x 11. A thread reads both windows whole, or the block
// keeps the moments of rows in shared memory and sums those along columns.
#include "Pair.cuh"

constexpr int Width = 1920, Height = 1080, Taps = 11, Pitch = Width + Taps - 1;
constexpr int Bx = 32, By = 8, Rows = By + Taps - 1;

__constant__ float Gauss[Taps] = {0.00102838f, 0.00759876f, 0.03600077f,
                                  0.10936069f, 0.21300554f, 0.26601172f,
                                  0.21300554f, 0.10936069f, 0.03600077f,
                                  0.00759876f, 0.00102838f};

struct Moments {
  float X, Y, XX, YY, XY;
};

__device__ void add(Moments &M, float Weight, float X, float Y) {
  const float WX = Weight * X, WY = Weight * Y;
  M.X += WX;
  M.Y += WY;
  M.XX += WX * X;
  M.YY += WY * Y;
  M.XY += WX * Y;
}

__device__ float similarity(const Moments &M) {
  constexpr float C1 = 0.01f * 0.01f, C2 = 0.03f * 0.03f;
  const float VarX = M.XX - M.X * M.X, VarY = M.YY - M.Y * M.Y,
              Covariance = M.XY - M.X * M.Y;
  return (2 * M.X * M.Y + C1) * (2 * Covariance + C2) /
         ((M.X * M.X + M.Y * M.Y + C1) * (VarX + VarY + C2));
}

__global__ void before(const float *__restrict__ Reference,
                       const float *__restrict__ Coded,
                       float *__restrict__ Map) {
  const int X = blockIdx.x * Bx + threadIdx.x,
            Y = blockIdx.y * By + threadIdx.y;
  Moments M = {};
#pragma unroll
  for (int V = 0; V < Taps; ++V) {
    const int Row = (Y + V) * Pitch + X;
    Moments OfRow = {};
#pragma unroll
    for (int U = 0; U < Taps; ++U)
      add(OfRow, Gauss[U], Reference[Row + U], Coded[Row + U]);
    M.X += Gauss[V] * OfRow.X;
    M.Y += Gauss[V] * OfRow.Y;
    M.XX += Gauss[V] * OfRow.XX;
    M.YY += Gauss[V] * OfRow.YY;
    M.XY += Gauss[V] * OfRow.XY;
  }
  Map[Y * Width + X] = similarity(M);
}

__global__ void after(const float *__restrict__ Reference,
                      const float *__restrict__ Coded,
                      float *__restrict__ Map) {
  __shared__ float OfRow[5][Rows][Bx];
  const int Tx = threadIdx.x, X = blockIdx.x * Bx + Tx,
            Y = blockIdx.y * By + threadIdx.y;
  for (int R = threadIdx.y; R < Rows; R += By) {
    const int Row = (blockIdx.y * By + R) * Pitch + X;
    Moments M = {};
#pragma unroll
    for (int U = 0; U < Taps; ++U)
      add(M, Gauss[U], Reference[Row + U], Coded[Row + U]);
    OfRow[0][R][Tx] = M.X;
    OfRow[1][R][Tx] = M.Y;
    OfRow[2][R][Tx] = M.XX;
    OfRow[3][R][Tx] = M.YY;
    OfRow[4][R][Tx] = M.XY;
  }
  __syncthreads();
  Moments M = {};
#pragma unroll
  for (int V = 0; V < Taps; ++V) {
    const int R = threadIdx.y + V;
    M.X += Gauss[V] * OfRow[0][R][Tx];
    M.Y += Gauss[V] * OfRow[1][R][Tx];
    M.XX += Gauss[V] * OfRow[2][R][Tx];
    M.YY += Gauss[V] * OfRow[3][R][Tx];
    M.XY += Gauss[V] * OfRow[4][R][Tx];
  }
  Map[Y * Width + X] = similarity(M);
}

int main() {
  constexpr size_t Padded = size_t(Pitch) * (Height + Taps - 1);
  const float *Frames = input<float>(2 * Padded);
  float *Expected = output<float>(Width * Height),
        *Out = output<float>(Width * Height);
  Pair P("similarity-index-separable-in-tile");
  P.same(Expected, Out, Width * Height);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Width / Bx, Height / By), dim3(Bx, By)>>>(
          Frames, Frames + Padded, Expected);
    else
      after<<<dim3(Width / Bx, Height / By), dim3(Bx, By)>>>(
          Frames, Frames + Padded, Out);
}

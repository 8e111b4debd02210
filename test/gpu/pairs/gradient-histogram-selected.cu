// Rule: cuda-memory-local-array
// A warp sums up the directions of gradients around a point in eight bins of each
// lane, as descriptors of images do: at an index, or by comparing it with each.
#include "Pair.cuh"

constexpr int Width = 4096, Height = 2048, Cell = 32;

struct Gradient {
  float Weight, Lower, Upper;
  int Bin;
};

__device__ Gradient gradientAt(const float *Image, int X, int Y) {
  const float Dx = Image[Y * Width + X + 1] - Image[Y * Width + X - 1],
              Dy = Image[(Y + 1) * Width + X] - Image[(Y - 1) * Width + X];
  float Angle = atan2f(Dy, Dx);
  if (Angle < 0)
    Angle += 6.2831853f;
  const float Place = Angle * 1.2732395f, Whole = floorf(Place);
  const float U = X % Cell / 16.0f - 1, V = Y % Cell / 16.0f - 1;
  const float Weight = __expf(-(U * U + V * V) / 8) * hypotf(Dx, Dy);
  return {Weight, 1 - (Place - Whole), Place - Whole, int(Whole) % 8};
}

__device__ float warpSum(float V) {
  for (int Far = 16; Far > 0; Far /= 2)
    V += __shfl_xor_sync(~0u, V, Far);
  return V;
}

__global__ void before(const float *Image, float *Out) {
  const int X = blockIdx.x * Cell + threadIdx.x + 1,
            Top = (blockIdx.y * blockDim.y + threadIdx.y) * Cell + 1;
  float Bins[9] = {};
  for (int R = 0; R < Cell; ++R) {
    const Gradient G = gradientAt(Image, X, Top + R);
    Bins[G.Bin] += G.Lower * G.Weight;
    Bins[G.Bin + 1] += G.Upper * G.Weight;
  }
  Bins[0] += Bins[8];
  const int Place =
      (blockIdx.y * blockDim.y + threadIdx.y) * gridDim.x + blockIdx.x;
#pragma unroll
  for (int B = 0; B < 8; ++B) {
    const float Sum = warpSum(Bins[B]);
    if (threadIdx.x == B)
      Out[Place * 8 + B] = Sum;
  }
}

__global__ void after(const float *Image, float *Out) {
  const int X = blockIdx.x * Cell + threadIdx.x + 1,
            Top = (blockIdx.y * blockDim.y + threadIdx.y) * Cell + 1;
  float Bins[9] = {};
  for (int R = 0; R < Cell; ++R) {
    const Gradient G = gradientAt(Image, X, Top + R);
#pragma unroll
    for (int B = 0; B < 9; ++B) {
      Bins[B] += B == G.Bin ? G.Lower * G.Weight : 0;
      Bins[B] += B == G.Bin + 1 ? G.Upper * G.Weight : 0;
    }
  }
  Bins[0] += Bins[8];
  const int Place =
      (blockIdx.y * blockDim.y + threadIdx.y) * gridDim.x + blockIdx.x;
#pragma unroll
  for (int B = 0; B < 8; ++B) {
    const float Sum = warpSum(Bins[B]);
    if (threadIdx.x == B)
      Out[Place * 8 + B] = Sum;
  }
}

int main() {
  const float *Image = input<float>((Width + 2) * (Height + 2));
  constexpr int Cells = Width / Cell * (Height / Cell);
  float *Expected = output<float>(Cells * 8), *Out = output<float>(Cells * 8);
  Pair P("gradient-histogram-selected");
  P.same(Expected, Out, Cells * 8);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Width / Cell, Height / Cell / 4), dim3(32, 4)>>>(Image,
                                                                    Expected);
    else
      after<<<dim3(Width / Cell, Height / Cell / 4), dim3(32, 4)>>>(Image, Out);
}

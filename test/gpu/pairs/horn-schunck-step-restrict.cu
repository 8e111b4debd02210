// Rule: cuda-memory-missing-restrict
// A step of Horn's and Schunck's optical flow, from the mean flow around a
// pixel and the derivatives of the picture. The remedy promises by __restrict__
// and const that the arrays are apart.
#include "Pair.cuh"

constexpr int Width = 2047, Height = 1535, N = Width * Height;

__device__ float meanAround(const float *Flow, int I) {
  return (Flow[I - 1] + Flow[I + 1] + Flow[I - Width] + Flow[I + Width]) / 6 +
         (Flow[I - Width - 1] + Flow[I - Width + 1] + Flow[I + Width - 1] +
          Flow[I + Width + 1]) / 12;
}

__global__ void before(float *DX, float *DY, float *DT, float *U, float *V,
                       float *NewU, float *NewV, float Smooth) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x + 1;
  const int Y = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (X >= Width - 1 || Y >= Height - 1)
    return;
  const int I = Y * Width + X;
  const float MeanU = meanAround(U, I), MeanV = meanAround(V, I);
  const float GX = DX[I], GY = DY[I];
  const float Step = (GX * MeanU + GY * MeanV + DT[I]) /
                     (Smooth + GX * GX + GY * GY);
  NewU[I] = MeanU - GX * Step;
  NewV[I] = MeanV - GY * Step;
}

__global__ void after(const float *__restrict__ DX,
                      const float *__restrict__ DY,
                      const float *__restrict__ DT,
                      const float *__restrict__ U, const float *__restrict__ V,
                      float *__restrict__ NewU, float *__restrict__ NewV,
                      float Smooth) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x + 1;
  const int Y = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (X >= Width - 1 || Y >= Height - 1)
    return;
  const int I = Y * Width + X;
  const float MeanU = meanAround(U, I), MeanV = meanAround(V, I);
  const float GX = DX[I], GY = DY[I];
  const float Step = (GX * MeanU + GY * MeanV + DT[I]) /
                     (Smooth + GX * GX + GY * GY);
  NewU[I] = MeanU - GX * Step;
  NewV[I] = MeanV - GY * Step;
}

int main() {
  float *DX = input<float>(N), *DY = input<float>(N), *DT = input<float>(N),
        *U = input<float>(N), *V = input<float>(N);
  float *Expected = output<float>(2 * N), *Out = output<float>(2 * N);
  Pair P("horn-schunck-step-restrict");
  P.same(Expected, Out, 2 * N);
  const dim3 Block(32, 8), Grid((Width - 2 + 31) / 32, (Height - 2 + 7) / 8);
  while (P.next())
    if (P.beforesTurn())
      before<<<Grid, Block>>>(DX, DY, DT, U, V, Expected, Expected + N, 0.5f);
    else
      after<<<Grid, Block>>>(DX, DY, DT, U, V, Out, Out + N, 0.5f);
}

// Rule: cuda-memory-missing-reuse
// Temporal antialiasing of a full-HD picture: each pixel's history is clipped
// to the spread of the 3x3 colours about it, in YCoCg, and blended. Nine pixels
// are read and converted by each thread, or a block converts a tile once and
// keeps it in shared memory.
#include "Pair.cuh"

constexpr int Width = 1920, Height = 1080, TileX = 32, TileY = 8;

__device__ float3 toYCoCg(float4 C) {
  return {0.25f * C.x + 0.5f * C.y + 0.25f * C.z, 0.5f * (C.x - C.z),
          0.5f * C.y - 0.25f * (C.x + C.z)};
}

__device__ float3 pixel(const float4 *Frame, int X, int Y) {
  X = min(max(X, 0), Width - 1);
  Y = min(max(Y, 0), Height - 1);
  return toYCoCg(Frame[Y * Width + X]);
}

__device__ void count(float3 C, float3 &Sum, float3 &Squares) {
  Sum = {Sum.x + C.x, Sum.y + C.y, Sum.z + C.z};
  Squares = {Squares.x + C.x * C.x, Squares.y + C.y * C.y,
             Squares.z + C.z * C.z};
}

__device__ float clipped(float Value, float Sum, float Squares) {
  const float Mean = Sum / 9;
  const float Spread = sqrtf(fmaxf(Squares / 9 - Mean * Mean, 0.0f));
  return fminf(fmaxf(Value, Mean - Spread), Mean + Spread);
}

__device__ float4 blended(float3 Now, float4 Past, float3 Sum, float3 Squares) {
  const float3 Old = toYCoCg(Past);
  const float Y = clipped(Old.x, Sum.x, Squares.x);
  const float Co = clipped(Old.y, Sum.y, Squares.y);
  const float Cg = clipped(Old.z, Sum.z, Squares.z);
  // Bright pixels weigh less, lest they flicker.
  const float Fresh = 0.1f / (1 + Now.x), Kept = 0.9f / (1 + Y);
  const float Scale = 1 / (Fresh + Kept);
  const float A = Scale * (Fresh * Now.x + Kept * Y);
  const float B = Scale * (Fresh * Now.y + Kept * Co);
  const float C = Scale * (Fresh * Now.z + Kept * Cg);
  return {A + B - C, A + C, A - B - C, 1};
}

__global__ void before(const float4 *__restrict__ Frame,
                       const float4 *__restrict__ History,
                       float4 *__restrict__ Out) {
  const int X = blockIdx.x * TileX + threadIdx.x;
  const int Y = blockIdx.y * TileY + threadIdx.y;
  float3 Sum = {}, Squares = {};
#pragma unroll
  for (int DY = -1; DY <= 1; ++DY)
#pragma unroll
    for (int DX = -1; DX <= 1; ++DX)
      count(pixel(Frame, X + DX, Y + DY), Sum, Squares);
  const int I = Y * Width + X;
  Out[I] = blended(toYCoCg(Frame[I]), History[I], Sum, Squares);
}

__global__ void after(const float4 *__restrict__ Frame,
                      const float4 *__restrict__ History,
                      float4 *__restrict__ Out) {
  __shared__ float3 Tile[TileY + 2][TileX + 2];
  const int FirstX = blockIdx.x * TileX, FirstY = blockIdx.y * TileY;
  for (int K = threadIdx.y * TileX + threadIdx.x;
       K < (TileX + 2) * (TileY + 2); K += TileX * TileY) {
    const int TX = K % (TileX + 2), TY = K / (TileX + 2);
    Tile[TY][TX] = pixel(Frame, FirstX + TX - 1, FirstY + TY - 1);
  }
  __syncthreads();
  float3 Sum = {}, Squares = {};
#pragma unroll
  for (int DY = 0; DY <= 2; ++DY)
#pragma unroll
    for (int DX = 0; DX <= 2; ++DX)
      count(Tile[threadIdx.y + DY][threadIdx.x + DX], Sum, Squares);
  const int I = (FirstY + threadIdx.y) * Width + FirstX + threadIdx.x;
  Out[I] = blended(Tile[threadIdx.y + 1][threadIdx.x + 1], History[I], Sum,
                   Squares);
}

int main() {
  const float4 *Both =
      (const float4 *)input<float>(size_t(8) * Width * Height);
  const float4 *Frame = Both, *History = Both + Width * Height;
  float4 *Expected = (float4 *)output<float>(4 * Width * Height),
         *Out = (float4 *)output<float>(4 * Width * Height);
  Pair P("antialiasing-neighbourhood-tile");
  P.same((const float *)Expected, (const float *)Out, 4 * Width * Height);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Width / TileX, Height / TileY), dim3(TileX, TileY)>>>(
          Frame, History, Expected);
    else
      after<<<dim3(Width / TileX, Height / TileY), dim3(TileX, TileY)>>>(
          Frame, History, Out);
}

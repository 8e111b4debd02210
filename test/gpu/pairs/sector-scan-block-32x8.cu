// Rule: cuda-memory-uncoalesced-access
// The beams of a sector scanner drawn as a picture, by interpolation between
// two beams and two depths. The remedy launches blocks of 32x8 instead of
// 16x16, so that a warp lies in one row.
#include "Pair.cuh"

constexpr int Width = 1920, Height = 1440, Beams = 256, Depths = 1024;

__device__ void draw(const float *Echoes, float *Picture) {
  const int Column = blockIdx.x * blockDim.x + threadIdx.x;
  const int Row = blockIdx.y * blockDim.y + threadIdx.y;
  const float X = (Column - Width / 2) * 0.7f, Z = (Row + 1) * 0.7f;
  const float Depth = sqrtf(X * X + Z * Z);
  const float Beam = (atan2f(X, Z) / 0.785f + 1) * (0.5f * (Beams - 1));
  float Value = 0;
  if (Beam >= 0 && Beam < Beams - 1 && Depth < Depths - 1) {
    const int B = int(Beam), D = int(Depth);
    const float *Left = Echoes + B * Depths + D, *Right = Left + Depths;
    const float PartB = Beam - B, PartD = Depth - D;
    const float L = Left[0] + PartD * (Left[1] - Left[0]);
    const float R = Right[0] + PartD * (Right[1] - Right[0]);
    Value = L + PartB * (R - L);
  }
  Picture[Row * Width + Column] = Value;
}

__global__ void before(const float *__restrict__ Echoes,
                       float *__restrict__ Picture) {
  draw(Echoes, Picture);
}

__global__ void after(const float *__restrict__ Echoes,
                      float *__restrict__ Picture) {
  draw(Echoes, Picture);
}

int main() {
  const float *Echoes = input<float>(Beams * Depths);
  float *Expected = output<float>(Width * Height),
        *Out = output<float>(Width * Height);
  Pair P("sector-scan-block-32x8");
  P.same(Expected, Out, Width * Height);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Width / 16, Height / 16), dim3(16, 16)>>>(Echoes, Expected);
    else
      after<<<dim3(Width / 32, Height / 8), dim3(32, 8)>>>(Echoes, Out);
}

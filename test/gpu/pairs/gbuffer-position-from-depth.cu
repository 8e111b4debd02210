// Rule: ?
// Deferred shading by six lamps: the position of each pixel loaded as a float4
// that the geometry pass wrote, or rebuilt from its depth and the camera.
#include "Pair.cuh"

constexpr int Width = 1920, Height = 1080, Pixels = Width * Height, Lamps = 6;

struct Lighting {
  float4 Lamp[Lamps];
};

struct Camera {
  float3 Eye, Corner, Right, Down;
};

__device__ float3 rebuilt(const Camera &View, int X, int Y, float Depth) {
  const float Distance = 1 + 50 * Depth;
  const float3 Ray = {View.Corner.x + X * View.Right.x + Y * View.Down.x,
                      View.Corner.y + X * View.Right.y + Y * View.Down.y,
                      View.Corner.z + X * View.Right.z + Y * View.Down.z};
  return make_float3(View.Eye.x + Distance * Ray.x,
                     View.Eye.y + Distance * Ray.y,
                     View.Eye.z + Distance * Ray.z);
}

__device__ float shaded(const Lighting &Light, float3 Place, float4 Normal) {
  float Sum = 0.1f;
#pragma unroll
  for (int L = 0; L < Lamps; ++L) {
    const float X = Light.Lamp[L].x - Place.x, Y = Light.Lamp[L].y - Place.y,
                Z = Light.Lamp[L].z - Place.z;
    const float Inverse = rsqrtf(X * X + Y * Y + Z * Z + 1);
    const float Facing =
        (X * Normal.x + Y * Normal.y + Z * Normal.z) * Inverse;
    Sum += Light.Lamp[L].w * fmaxf(Facing, 0.0f) * Inverse;
  }
  return Sum * Normal.w;
}

__global__ void before(const float4 *__restrict__ Position,
                       const float4 *__restrict__ Normal, Lighting Light,
                       float *__restrict__ Image) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x;
  const int Y = blockIdx.y * blockDim.y + threadIdx.y;
  const int Pixel = Y * Width + X;
  const float4 Place = Position[Pixel];
  Image[Pixel] = shaded(Light, make_float3(Place.x, Place.y, Place.z),
                        Normal[Pixel]);
}

__global__ void after(const float *__restrict__ Depth,
                      const float4 *__restrict__ Normal, Lighting Light,
                      Camera View, float *__restrict__ Image) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x;
  const int Y = blockIdx.y * blockDim.y + threadIdx.y;
  const int Pixel = Y * Width + X;
  Image[Pixel] =
      shaded(Light, rebuilt(View, X, Y, Depth[Pixel]), Normal[Pixel]);
}

__global__ void writePositions(const float *Depth, Camera View,
                               float4 *Position) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x, Y = blockIdx.y;
  const float3 Place = rebuilt(View, X, Y, Depth[Y * Width + X]);
  Position[Y * Width + X] = make_float4(Place.x, Place.y, Place.z, 1);
}

int main() {
  Camera View = {{1, 2, 3}, {-0.8f, -0.45f, 1}, {0.00083f, 0, 0},
                 {0, 0.00083f, 0}};
  Lighting Light;
  for (int L = 0; L < Lamps; ++L)
    Light.Lamp[L] = make_float4(4.0f * L - 8, 6.0f - L, 7.0f * L + 2, 9.0f + L);
  const float *Depth = input<float>(Pixels), *Normal = input<float>(4 * Pixels);
  float4 *Position = (float4 *)output<float>(4 * Pixels);
  writePositions<<<dim3(Width / 64, Height), 64>>>(Depth, View, Position);
  float *Expected = output<float>(Pixels), *Out = output<float>(Pixels);
  Pair P("gbuffer-position-from-depth");
  P.same(Expected, Out, Pixels);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Width / 32, Height / 8), dim3(32, 8)>>>(
          Position, (const float4 *)Normal, Light, Expected);
    else
      after<<<dim3(Width / 32, Height / 8), dim3(32, 8)>>>(
          Depth, (const float4 *)Normal, Light, View, Out);
}

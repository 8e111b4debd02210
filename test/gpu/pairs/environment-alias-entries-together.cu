// Rule: cuda-memory-split-gather
// Direct light from an environment map of two million texels: four samples at
// each point to be shaded, their texels drawn by the alias method. Thresholds
// and aliases lie in two arrays, or each threshold beside its alias.
// Options: --buffer=Alias=random,count=2097152,below=2097152
#include "Pair.cuh"

constexpr int Width = 2048, Height = 1024, Texels = Width * Height;
constexpr int Points = 1 << 19, Samples = 4;

struct Entry {
  float Threshold;
  int Alias;
};

struct Draw {
  int Slot;
  float U;
};

__device__ Draw drawn(int Point, int Sample) {
  const uint64_t Id = uint64_t(Point) * Samples + Sample;
  return {int(mixed(Id) % Texels), mixed(~Id) * (1 / 4294967296.f)};
}

__device__ float3 directionTo(int Texel) {
  const float Theta = (Texel / Width + 0.5f) * (3.14159265f / Height),
              Phi = (Texel % Width + 0.5f) * (6.2831853f / Width);
  float SinTheta, CosTheta, SinPhi, CosPhi;
  __sincosf(Theta, &SinTheta, &CosTheta);
  __sincosf(Phi, &SinPhi, &CosPhi);
  return make_float3(SinTheta * CosPhi, CosTheta, SinTheta * SinPhi);
}

__device__ void addLight(float4 &Sum, float4 Normal, int Texel,
                         const float4 *__restrict__ Radiance) {
  const float4 Light = Radiance[Texel];
  const float3 D = directionTo(Texel);
  const float Cosine = Normal.x * D.x + Normal.y * D.y + Normal.z * D.z;
  const float Weight = __fdividef(fmaxf(Cosine, 0), 0.1f + Light.w);
  Sum.x += Weight * Light.x;
  Sum.y += Weight * Light.y;
  Sum.z += Weight * Light.z;
  Sum.w += Weight > 0 ? 1.f / Samples : 0;
}

__global__ void before(const float *__restrict__ Threshold,
                       const int *__restrict__ Alias,
                       const float4 *__restrict__ Radiance,
                       const float4 *__restrict__ Normals,
                       float4 *__restrict__ Shaded) {
  const int Point = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 Normal = Normals[Point];
  float4 Sum = make_float4(0, 0, 0, 0);
#pragma unroll
  for (int S = 0; S < Samples; ++S) {
    const Draw D = drawn(Point, S);
    const float T = Threshold[D.Slot];
    const int Other = Alias[D.Slot];
    addLight(Sum, Normal, D.U < T ? D.Slot : Other, Radiance);
  }
  Shaded[Point] = Sum;
}

__global__ void after(const Entry *__restrict__ Alias,
                      const float4 *__restrict__ Radiance,
                      const float4 *__restrict__ Normals,
                      float4 *__restrict__ Shaded) {
  const int Point = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 Normal = Normals[Point];
  float4 Sum = make_float4(0, 0, 0, 0);
#pragma unroll
  for (int S = 0; S < Samples; ++S) {
    const Draw D = drawn(Point, S);
    const float2 Both = reinterpret_cast<const float2 *>(Alias)[D.Slot];
    addLight(Sum, Normal, D.U < Both.x ? D.Slot : __float_as_int(Both.y),
             Radiance);
  }
  Shaded[Point] = Sum;
}

int main() {
  const float *Threshold = input<float>(Texels);
  const int *Alias = input<int>(Texels, Texels);
  const std::vector<float> Thresholds = onHost(Threshold, Texels);
  const std::vector<int> Aliases = onHost(Alias, Texels);
  std::vector<Entry> Entries(Texels);
  for (int I = 0; I < Texels; ++I)
    Entries[I] = {Thresholds[I], Aliases[I]};
  const Entry *Together = onDevice(Entries);
  const float4 *Radiance = (const float4 *)input<float>(size_t(4) * Texels);
  const float4 *Normals = (const float4 *)input<float>(size_t(4) * Points);
  float *Expected = output<float>(4 * Points), *Out = output<float>(4 * Points);
  Pair P("environment-alias-entries-together");
  P.same(Expected, Out, 4 * Points);
  while (P.next())
    if (P.beforesTurn())
      before<<<Points / 128, 128>>>(Threshold, Alias, Radiance, Normals,
                                    (float4 *)Expected);
    else
      after<<<Points / 128, 128>>>(Together, Radiance, Normals, (float4 *)Out);
}

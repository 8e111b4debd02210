// Rule: cuda-memory-small-block
// Backprojection of synthetic aperture radar: each pixel adds, for each pulse,
// the echo at its distance from the antenna, turned by the phase. Blocks of
// 256x1 pixels or of 16x16.
#include "Pair.cuh"

constexpr int Size = 512, Pulses = 64, Gates = 2048;

struct Scene {
  float3 Corner;
  float Spacing, NearRange, GatesPerMetre, WavesPerMetre;
};

__device__ inline float2 echo(const float2 *Profile, float Gate) {
  const int G = min(max(int(Gate), 0), Gates - 2);
  const float W = Gate - G;
  const float2 A = Profile[G], B = Profile[G + 1];
  return make_float2(A.x + W * (B.x - A.x), A.y + W * (B.y - A.y));
}

__device__ inline void image(const float2 *__restrict__ Echoes,
                             const float4 *__restrict__ Antenna, const Scene &S,
                             float2 *Image) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x;
  const int Y = blockIdx.y * blockDim.y + threadIdx.y;
  const float PX = S.Corner.x + X * S.Spacing;
  const float PY = S.Corner.y + Y * S.Spacing;
  float2 Sum = {0, 0};
  for (int P = 0; P < Pulses; ++P) {
    const float4 A = Antenna[P];
    const float DX = PX - A.x, DY = PY - A.y, DZ = S.Corner.z - A.z;
    const float R = sqrtf(DX * DX + DY * DY + DZ * DZ) - S.NearRange;
    const float2 E = echo(Echoes + P * Gates, R * S.GatesPerMetre);
    float Sin, Cos;
    __sincosf(S.WavesPerMetre * (R - floorf(R)), &Sin, &Cos);
    Sum.x += E.x * Cos - E.y * Sin;
    Sum.y += E.x * Sin + E.y * Cos;
  }
  Image[Y * Size + X] = Sum;
}

__global__ void before(const float2 *Echoes, const float4 *Antenna, Scene S,
                       float2 *Image) {
  image(Echoes, Antenna, S, Image);
}

__global__ void after(const float2 *Echoes, const float4 *Antenna, Scene S,
                      float2 *Image) {
  image(Echoes, Antenna, S, Image);
}

int main() {
  std::vector<float4> Track(Pulses);
  for (int P = 0; P < Pulses; ++P)
    Track[P] = make_float4(-900, P * 4.0f - 128, 600, 0);
  const float4 *Antenna = onDevice(Track);
  const float2 *Echoes = (const float2 *)input<float>(2 * Pulses * Gates);
  const Scene S = {{0, -256, 0}, 1.0f, 1070, 3.5f, 6.2831853f};
  constexpr size_t Count = size_t(Size) * Size;
  float2 *Expected = output<float2>(Count), *Out = output<float2>(Count);
  Pair P("backprojection-block-16x16");
  P.same((float *)Expected, (float *)Out, 2 * Count);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Size / 256, Size), dim3(256, 1)>>>(Echoes, Antenna, S,
                                                       Expected);
    else
      after<<<dim3(Size / 16, Size / 16), dim3(16, 16)>>>(Echoes, Antenna, S,
                                                          Out);
}

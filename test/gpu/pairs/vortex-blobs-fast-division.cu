// Rule: ?
// Velocities that 16384 vortex blobs (Lamb and Oseen) give each other, all
// pairs: with expf and the exact division, or with the fast intrinsics.
#include "Pair.cuh"

constexpr int N = 16384;
constexpr float Core = 400, Share = 0.159154943f / N;

__global__ void before(const float4 *__restrict__ Blob, float2 *Velocity) {
  const int I = blockIdx.x * 128 + threadIdx.x;
  const float4 Mine = Blob[I];
  float2 Sum = {0, 0};
  for (int J = 0; J < N; ++J) {
    const float4 Other = Blob[J];
    const float X = Mine.x - Other.x, Y = Mine.y - Other.y;
    const float Square = X * X + Y * Y + 1e-6f;
    const float Swirl = Other.z * (1.0f - expf(-Core * Square)) / Square;
    Sum.x -= Y * Swirl;
    Sum.y += X * Swirl;
  }
  Velocity[I] = {Share * Sum.x, Share * Sum.y};
}

__global__ void after(const float4 *__restrict__ Blob, float2 *Velocity) {
  const int I = blockIdx.x * 128 + threadIdx.x;
  const float4 Mine = Blob[I];
  float2 Sum = {0, 0};
  for (int J = 0; J < N; ++J) {
    const float4 Other = Blob[J];
    const float X = Mine.x - Other.x, Y = Mine.y - Other.y;
    const float Square = X * X + Y * Y + 1e-6f;
    const float Swirl =
        __fdividef(Other.z * (1.0f - __expf(-Core * Square)), Square);
    Sum.x -= Y * Swirl;
    Sum.y += X * Swirl;
  }
  Velocity[I] = {Share * Sum.x, Share * Sum.y};
}

int main() {
  const float *Blob = input<float>(4 * N);
  float *Expected = output<float>(2 * N), *Out = output<float>(2 * N);
  Pair P("vortex-blobs-fast-division");
  P.same(Expected, Out, 2 * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 128, 128>>>((const float4 *)Blob, (float2 *)Expected);
    else
      after<<<N / 128, 128>>>((const float4 *)Blob, (float2 *)Out);
}

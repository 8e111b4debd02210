// Rule: cuda-memory-uncoalesced-access
// Forces of molecules on each other: a molecule's 32 neighbours are listed
// behind each other, or those of all molecules with the same number together.
// Options: --buffer=Neighbour=random,count=8388608,below=262144
#include "Pair.cuh"

constexpr int N = 1 << 18, Near = 32;

__device__ void attract(float4 Mine, float4 Other, float3 &Force) {
  const float X = Other.x - Mine.x, Y = Other.y - Mine.y, Z = Other.z - Mine.z;
  const float Inverse = 1 / (X * X + Y * Y + Z * Z + 0.1f);
  const float Sixth = Inverse * Inverse * Inverse;
  const float Pull = Other.w * Sixth * (0.5f - 0.001f * Sixth);
  Force.x += Pull * X;
  Force.y += Pull * Y;
  Force.z += Pull * Z;
}

__global__ void before(const float4 *Place, const int *Neighbour,
                       float4 *Forces) {
  const int I = blockIdx.x * 128 + threadIdx.x;
  const float4 Mine = Place[I];
  float3 Force = {};
  for (int K = 0; K < Near; ++K)
    attract(Mine, Place[Neighbour[I * Near + K]], Force);
  Forces[I] = {Force.x, Force.y, Force.z, 0};
}

__global__ void after(const float4 *Place, const int *Neighbour,
                      float4 *Forces) {
  const int I = blockIdx.x * 128 + threadIdx.x;
  const float4 Mine = Place[I];
  float3 Force = {};
  for (int K = 0; K < Near; ++K)
    attract(Mine, Place[Neighbour[K * N + I]], Force);
  Forces[I] = {Force.x, Force.y, Force.z, 0};
}

int main() {
  const float *Place = input<float>(4 * N);
  const int *Lists = input<int>(N * Near, N);
  const int *Turned = arranged(Lists, N * Near, N * Near,
                               [](size_t I) { return I % N * Near + I / N; });
  float *Expected = output<float>(4 * N), *Out = output<float>(4 * N);
  Pair P("neighbour-list-turned");
  P.same(Expected, Out, 4 * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 128, 128>>>((const float4 *)Place, Lists,
                               (float4 *)Expected);
    else
      after<<<N / 128, 128>>>((const float4 *)Place, Turned, (float4 *)Out);
}

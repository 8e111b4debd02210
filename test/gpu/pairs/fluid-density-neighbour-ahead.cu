// Rule: ?
// Density of smoothed particles over lists of 48 neighbours, which are stored
// with lanes side by side: the number of a neighbour is read when it is needed,
// or one turn of the loop earlier.
// Options: --buffer=List=random,count=6291456,below=131072
#include "Pair.cuh"

constexpr int N = 1 << 17, Neighbours = 48;
constexpr float Reach = 0.8f;

__device__ float kernel(float4 Here, float4 There) {
  const float X = Here.x - There.x, Y = Here.y - There.y, Z = Here.z - There.z;
  const float Left = fmaxf(Reach * Reach - (X * X + Y * Y + Z * Z), 0);
  return There.w * Left * Left * Left;
}

__global__ void before(const int *__restrict__ List,
                       const float4 *__restrict__ Particle, float *Density) {
  const int I = blockIdx.x * 128 + threadIdx.x;
  const float4 Here = Particle[I];
  float Sum = 0;
  for (int K = 0; K < Neighbours; ++K) {
    const int Other = List[K * N + I];
    Sum += kernel(Here, Particle[Other]);
  }
  Density[I] = 11.67f * Sum;
}

__global__ void after(const int *__restrict__ List,
                      const float4 *__restrict__ Particle, float *Density) {
  const int I = blockIdx.x * 128 + threadIdx.x;
  const float4 Here = Particle[I];
  float Sum = 0;
  int Other = List[I];
  for (int K = 1; K < Neighbours; ++K) {
    const int Next = List[K * N + I];
    Sum += kernel(Here, Particle[Other]);
    Other = Next;
  }
  Sum += kernel(Here, Particle[Other]);
  Density[I] = 11.67f * Sum;
}

int main() {
  const int *List = input<int>(Neighbours * N, N);
  const float *Particle = input<float>(4 * N);
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("fluid-density-neighbour-ahead");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 128, 128>>>(List, (const float4 *)Particle, Expected);
    else
      after<<<N / 128, 128>>>(List, (const float4 *)Particle, Out);
}

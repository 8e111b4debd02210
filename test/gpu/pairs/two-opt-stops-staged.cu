// Rule: cuda-memory-missing-reuse
// Best exchange of two legs of a delivery tour for each leg: where the other
// legs lie is looked up through the tour for each pair, or once for a block,
// which keeps its part of the tour in shared memory.
#include "Pair.cuh"

constexpr int Stops = 8192, Part = 1024, Block = 128;

__device__ float distance(float2 A, float2 B) {
  const float X = A.x - B.x, Y = A.y - B.y;
  return sqrtf(X * X + Y * Y);
}

__device__ float gain(float2 A, float2 B, float Leg, float2 C, float2 D) {
  return Leg + distance(C, D) - distance(A, C) - distance(B, D);
}

__global__ void before(const float2 *__restrict__ Place,
                       const int *__restrict__ Tour,
                       float *__restrict__ Gains) {
  const int I = blockIdx.x * Block + threadIdx.x;
  const int First = blockIdx.y * Part;
  const float2 A = Place[Tour[I]], B = Place[Tour[I + 1]];
  const float Leg = distance(A, B);
  float Best = 0;
  for (int J = First; J < First + Part; ++J) {
    const float2 C = Place[Tour[J]], D = Place[Tour[J + 1]];
    const float Gain = gain(A, B, Leg, C, D);
    if (J != I)
      Best = fmaxf(Best, Gain);
  }
  Gains[blockIdx.y * Stops + I] = Best;
}

__global__ void after(const float2 *__restrict__ Place,
                      const int *__restrict__ Tour,
                      float *__restrict__ Gains) {
  __shared__ float2 Near[Part + 1];
  const int I = blockIdx.x * Block + threadIdx.x;
  const int First = blockIdx.y * Part;
  for (int J = threadIdx.x; J <= Part; J += Block)
    Near[J] = Place[Tour[First + J]];
  const float2 A = Place[Tour[I]], B = Place[Tour[I + 1]];
  const float Leg = distance(A, B);
  __syncthreads();
  float Best = 0;
  for (int J = 0; J < Part; ++J) {
    const float2 C = Near[J], D = Near[J + 1];
    const float Gain = gain(A, B, Leg, C, D);
    if (First + J != I)
      Best = fmaxf(Best, Gain);
  }
  Gains[blockIdx.y * Stops + I] = Best;
}

int main() {
  const float2 *Place = (const float2 *)input<float>(2 * Stops);
  std::vector<int> Order(Stops + 1);
  for (int I = 0; I <= Stops; ++I)
    Order[I] = (I % Stops * 4099 + 17) % Stops;
  const int *Tour = onDevice(Order);
  constexpr int Count = Stops / Part * Stops;
  float *Expected = output<float>(Count), *Out = output<float>(Count);
  Pair P("two-opt-stops-staged");
  P.same(Expected, Out, Count);
  const dim3 Grid(Stops / Block, Stops / Part);
  while (P.next())
    if (P.beforesTurn())
      before<<<Grid, Block>>>(Place, Tour, Expected);
    else
      after<<<Grid, Block>>>(Place, Tour, Out);
}

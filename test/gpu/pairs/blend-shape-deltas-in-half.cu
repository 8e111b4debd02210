// Rule: other
// A face is the resting mesh plus 24 blend shapes, each with a displacement, a
// wrinkle and a change of the normal for every vertex. Those are kept as
// floats, 32 bytes a vertex and shape, or as halves.
#include "Pair.cuh"
#include <cuda_fp16.h>

constexpr int Vertices = 1 << 18, Shapes = 24;

__constant__ float Weight[Shapes];

struct alignas(16) Delta {
  float4 Place, Turn;
};

struct alignas(16) HalfDelta {
  __half2 PlaceXY, PlaceZW, TurnXY, TurnZW;
};

__device__ void add(float4 &Sum, float Weight, float4 V) {
  Sum.x += Weight * V.x;
  Sum.y += Weight * V.y;
  Sum.z += Weight * V.z;
  Sum.w += Weight * V.w;
}

__device__ float4 widened(__half2 XY, __half2 ZW) {
  const float2 A = __half22float2(XY), B = __half22float2(ZW);
  return make_float4(A.x, A.y, B.x, B.y);
}

__device__ float4 normalised(float4 V) {
  const float Scale = rsqrtf(V.x * V.x + V.y * V.y + V.z * V.z + 1e-12f);
  return make_float4(V.x * Scale, V.y * Scale, V.z * Scale, V.w);
}

__global__ void before(const float4 *__restrict__ Rest,
                       const Delta *__restrict__ Deltas,
                       float4 *__restrict__ Posed) {
  const int V = blockIdx.x * blockDim.x + threadIdx.x;
  float4 Place = Rest[V], Turn = Rest[Vertices + V];
#pragma unroll 4
  for (int S = 0; S < Shapes; ++S) {
    const Delta D = Deltas[S * Vertices + V];
    add(Place, Weight[S], D.Place);
    add(Turn, Weight[S], D.Turn);
  }
  Posed[V] = Place;
  Posed[Vertices + V] = normalised(Turn);
}

__global__ void after(const float4 *__restrict__ Rest,
                      const HalfDelta *__restrict__ Deltas,
                      float4 *__restrict__ Posed) {
  const int V = blockIdx.x * blockDim.x + threadIdx.x;
  float4 Place = Rest[V], Turn = Rest[Vertices + V];
#pragma unroll 4
  for (int S = 0; S < Shapes; ++S) {
    const HalfDelta D = Deltas[S * Vertices + V];
    add(Place, Weight[S], widened(D.PlaceXY, D.PlaceZW));
    add(Turn, Weight[S], widened(D.TurnXY, D.TurnZW));
  }
  Posed[V] = Place;
  Posed[Vertices + V] = normalised(Turn);
}

int main() {
  constexpr size_t Count = size_t(8) * Vertices * Shapes;
  const float *Rest = input<float>(8 * Vertices), *Wide = input<float>(Count);
  std::vector<__half> Halves(Count);
  const std::vector<float> Floats = onHost(Wide, Count);
  for (size_t I = 0; I < Count; ++I)
    Halves[I] = __float2half(Floats[I]);
  const __half *Narrow = onDevice(Halves);
  std::vector<float> Activation(Shapes);
  for (int S = 0; S < Shapes; ++S)
    Activation[S] = 0.02f * (1 + S % 7);
  must(cudaMemcpyToSymbol(Weight, Activation.data(), Shapes * sizeof(float)));
  float *Expected = output<float>(8 * Vertices),
        *Out = output<float>(8 * Vertices);
  Pair P("blend-shape-deltas-in-half");
  P.same(Expected, Out, 8 * Vertices);
  while (P.next())
    if (P.beforesTurn())
      before<<<Vertices / 256, 256>>>((const float4 *)Rest, (const Delta *)Wide,
                                      (float4 *)Expected);
    else
      after<<<Vertices / 256, 256>>>((const float4 *)Rest,
                                     (const HalfDelta *)Narrow, (float4 *)Out);
}

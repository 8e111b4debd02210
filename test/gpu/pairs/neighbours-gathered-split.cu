// Rule: cuda-memory-array-of-structs
// Bodies of a neighbour list, which lie anywhere: a structure of 16 bytes is
// one sector each, four arrays are four. To split it harms.
// Options: --buffer=Neighbour=random,count=2097152,below=524288
#include "Pair.cuh"

constexpr int Bodies = 1 << 19, Pairs = 1 << 21;

__global__ void before(const float4 *All, const unsigned *Neighbour,
                       float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 V = All[Neighbour[I]];
  Out[I] = V.w * (V.x * V.x + V.y * V.y + V.z * V.z);
}

__global__ void after(const float *X, const float *Y, const float *Z,
                      const float *Mass, const unsigned *Neighbour,
                      float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned J = Neighbour[I];
  Out[I] = Mass[J] * (X[J] * X[J] + Y[J] * Y[J] + Z[J] * Z[J]);
}

int main() {
  const float *All = input<float>(4 * Bodies);
  const float *Split = arranged(All, 4 * Bodies, 4 * Bodies, [](size_t I) {
    return I % Bodies * 4 + I / Bodies;
  });
  const unsigned *Neighbour = input<unsigned>(Pairs, Bodies);
  float *Expected = output<float>(Pairs), *Out = output<float>(Pairs);
  Pair P("neighbours-gathered-split");
  P.same(Expected, Out, Pairs);
  while (P.next())
    if (P.beforesTurn())
      before<<<Pairs / 256, 256>>>((const float4 *)All, Neighbour, Expected);
    else
      after<<<Pairs / 256, 256>>>(Split, Split + Bodies, Split + 2 * Bodies,
                                  Split + 3 * Bodies, Neighbour, Out);
}

// Rule: cuda-memory-gather
// Bodies of a neighbour list, which lie anywhere; as advised, the list is
// sorted beforehand, so that neighbouring lanes want neighbouring bodies, and
// the results are in the order of the sorted list.
// Options: --buffer=Neighbour=random,count=2097152,below=524288
#include "../Pair.cuh"
#include <numeric>

constexpr int Bodies = 1 << 19, Pairs = 1 << 21;

__global__ void before(const float4 *All, const unsigned *Neighbour,
                       float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 V = All[Neighbour[I]];
  Out[I] = V.w * (V.x * V.x + V.y * V.y + V.z * V.z);
}

__global__ void after(const float4 *All, const unsigned *Neighbour,
                      float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 V = All[Neighbour[I]];
  Out[I] = V.w * (V.x * V.x + V.y * V.y + V.z * V.z);
}

int main() {
  const float *All = input<float>(4 * Bodies);
  const unsigned *Neighbour = input<unsigned>(Pairs, Bodies);
  const std::vector<unsigned> Wanted = onHost(Neighbour, Pairs);
  std::vector<unsigned> Order(Pairs), Place(Pairs);
  std::iota(Order.begin(), Order.end(), 0);
  std::stable_sort(Order.begin(), Order.end(), [&](unsigned A, unsigned B) {
    return Wanted[A] < Wanted[B];
  });
  for (unsigned I = 0; I < Pairs; ++I)
    Place[Order[I]] = I;
  const unsigned *Sorted =
      arranged(Neighbour, Pairs, Pairs, [&](size_t I) { return Order[I]; });
  float *Expected = output<float>(Pairs), *Out = output<float>(Pairs);
  Pair P("neighbours-gathered-split-as-advised");
  P.same(Expected, Out, Pairs, [=](size_t I) { return Place[I]; });
  while (P.next())
    if (P.beforesTurn())
      before<<<Pairs / 256, 256>>>((const float4 *)All, Neighbour, Expected);
    else
      after<<<Pairs / 256, 256>>>((const float4 *)All, Sorted, Out);
}

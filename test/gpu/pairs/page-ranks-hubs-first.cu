// Rule: cuda-memory-gather
// A step of PageRank: each page adds up what 16 pages give that link to it,
// most of them a few that are linked often, which are anywhere among the
// pages; or pages have new numbers, by how often they link.
#include "Pair.cuh"

constexpr int Pages = 1 << 20, Links = 16;

__global__ void before(const int *Sources, const float *Given, float *Ranks) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum = 0;
  for (int L = 0; L < Links; ++L)
    Sum += Given[Sources[L * Pages + I]];
  Ranks[I] = 0.15f + 0.85f * Sum;
}

__global__ void after(const int *NewSources, const float *NewGiven,
                      float *Ranks) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum = 0;
  for (int L = 0; L < Links; ++L)
    Sum += NewGiven[NewSources[L * Pages + I]];
  Ranks[I] = 0.15f + 0.85f * Sum;
}

int main() {
  const float *Given = input<float>(Pages);
  // The number of a page by popularity, and where that page is at first.
  std::vector<int> First(Links * Pages), Then(Links * Pages), Old(Pages);
  for (int I = 0; I < Pages; ++I)
    Old[I] = int(I * 387'413ll % Pages);
  for (int I = 0; I < Links * Pages; ++I) {
    const double Chance = mixed(I) / 4294967296.0;
    Then[I] = int(Chance * Chance * Chance * Chance * Pages);
    First[I] = Old[Then[I]];
  }
  const int *Sources = onDevice(First), *NewSources = onDevice(Then);
  const float *NewGiven =
      arranged(Given, Pages, Pages, [&](size_t I) { return Old[I]; });
  float *Expected = output<float>(Pages), *Out = output<float>(Pages);
  Pair P("page-ranks-hubs-first");
  P.same(Expected, Out, Pages);
  while (P.next())
    if (P.beforesTurn())
      before<<<Pages / 256, 256>>>(Sources, Given, Expected);
    else
      after<<<Pages / 256, 256>>>(NewSources, NewGiven, Out);
}

// Rule: cuda-memory-gather
// A million keys are looked up in a sorted column by halving: as they come, or
// sorted, so that neighbouring lanes go the same way.
// Options: --buffer=Column=sorted,count=4194304,below=1073741824
// Options: --buffer=Key=random,count=1048576,below=1073741824
// Options: --buffer=Ordered=sorted,count=1048576,below=1073741824
#include "Pair.cuh"
#include <numeric>

constexpr int Length = 1 << 22, Keys = 1 << 20, Limit = 1 << 30;

__device__ int lowerBound(const int *Column, int Key) {
  int At = 0;
  for (int Step = Length / 2; Step; Step /= 2)
    if (Column[At + Step - 1] < Key)
      At += Step;
  return At;
}

__global__ void before(const int *Column, const int *Key, int *Place) {
  const int I = blockIdx.x * 256 + threadIdx.x;
  Place[I] = lowerBound(Column, Key[I]);
}

__global__ void after(const int *Column, const int *Ordered, int *Place) {
  const int I = blockIdx.x * 256 + threadIdx.x;
  Place[I] = lowerBound(Column, Ordered[I]);
}

int main() {
  std::vector<int> Values = onHost(input<int>(Length, Limit), Length);
  std::sort(Values.begin(), Values.end());
  const int *Column = onDevice(Values);
  // Other numbers than the column's.
  const std::vector<int> Asked =
      onHost(input<int>(Length + Keys, Limit) + Length, Keys);
  std::vector<int> Order(Keys), Sorted(Keys), Rank(Keys);
  std::iota(Order.begin(), Order.end(), 0);
  std::sort(Order.begin(), Order.end(),
            [&](int A, int B) { return Asked[A] < Asked[B]; });
  for (int I = 0; I < Keys; ++I) {
    Sorted[I] = Asked[Order[I]];
    Rank[Order[I]] = I;
  }
  const int *Key = onDevice(Asked), *Ordered = onDevice(Sorted);
  int *Expected = output<int>(Keys), *Out = output<int>(Keys);
  Pair P("search-queries-sorted");
  P.same(Expected, Out, Keys, [=](size_t I) { return Rank[I]; });
  while (P.next())
    if (P.beforesTurn())
      before<<<Keys / 256, 256>>>(Column, Key, Expected);
    else
      after<<<Keys / 256, 256>>>(Column, Ordered, Out);
}

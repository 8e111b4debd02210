// Rule: cuda-memory-gather
// Rows of a kilobyte are fetched by their numbers as tokens come, or sorted. A
// row is long; what sorting brings is those that are asked for twice.
// Options: --buffer=Token=random,count=65536,below=65536
// Options: --buffer=Sorted=sorted,count=65536,below=65536
#include "Pair.cuh"
#include <numeric>

constexpr int Rows = 65536, Tokens = 65536, Wide = 64; // of four floats

__global__ void before(const int *Token, const float4 *Table, float4 *Out) {
  const int T = blockIdx.x * 8 + threadIdx.y, From = Token[T];
  for (int C = threadIdx.x; C < Wide; C += 32)
    Out[T * Wide + C] = Table[From * Wide + C];
}

__global__ void after(const int *Sorted, const float4 *Table, float4 *Out) {
  const int T = blockIdx.x * 8 + threadIdx.y, From = Sorted[T];
  for (int C = threadIdx.x; C < Wide; C += 32)
    Out[T * Wide + C] = Table[From * Wide + C];
}

int main() {
  constexpr int Floats = 4 * Wide;
  const float *Table = input<float>(Rows * Floats);
  const int *Token = input<int>(Tokens, Rows);
  const std::vector<int> Asked = onHost(Token, Tokens);
  std::vector<int> Order(Tokens), Ordered(Tokens), Rank(Tokens);
  std::iota(Order.begin(), Order.end(), 0);
  std::stable_sort(Order.begin(), Order.end(),
                   [&](int A, int B) { return Asked[A] < Asked[B]; });
  for (int I = 0; I < Tokens; ++I) {
    Ordered[I] = Asked[Order[I]];
    Rank[Order[I]] = I;
  }
  const int *Sorted = onDevice(Ordered);
  float *Expected = output<float>(Tokens * Floats),
        *Out = output<float>(Tokens * Floats);
  Pair P("expert-rows-sorted");
  P.same(Expected, Out, Tokens * Floats, [=](size_t I) {
    return size_t(Rank[I / (4 * Wide)]) * 4 * Wide + I % (4 * Wide);
  });
  while (P.next())
    if (P.beforesTurn())
      before<<<Tokens / 8, dim3(32, 8)>>>(Token, (const float4 *)Table,
                                          (float4 *)Expected);
    else
      after<<<Tokens / 8, dim3(32, 8)>>>(Sorted, (const float4 *)Table,
                                         (float4 *)Out);
}

// Rule: cuda-memory-gather
// A step of page ranks over two million pages with sixteen links to each: the
// rank and the share per link of a linking page are gathered from two arrays,
// or from one that holds both.
#include "Pair.cuh"

constexpr int N = 1 << 21, Links = 16;

__global__ void before(const int *__restrict__ From,
                       const float *__restrict__ Rank,
                       const float *__restrict__ Share,
                       float *__restrict__ Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum = 0;
#pragma unroll 4
  for (int L = 0; L < Links; ++L) {
    const int Page = From[L * N + I];
    Sum += Rank[Page] * Share[Page];
  }
  Out[I] = 0.15f + 0.85f * Sum;
}

__global__ void after(const int *__restrict__ From,
                      const float2 *__restrict__ RankAndShare,
                      float *__restrict__ Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum = 0;
#pragma unroll 4
  for (int L = 0; L < Links; ++L) {
    const float2 Page = RankAndShare[From[L * N + I]];
    Sum += Page.x * Page.y;
  }
  Out[I] = 0.15f + 0.85f * Sum;
}

int main() {
  const int *From = input<int>(size_t(N) * Links, N);
  const float *Apart = input<float>(2 * N);
  const float *Together =
      arranged(Apart, 2 * N, 2 * N, [](size_t I) { return I % 2 * N + I / 2; });
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("ranks-with-degrees");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(From, Apart, Apart + N, Expected);
    else
      after<<<N / 256, 256>>>(From, (const float2 *)Together, Out);
}

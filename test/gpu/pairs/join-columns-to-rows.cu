// Rule: cuda-memory-gather
// Lines of orders look up four columns of their article, which lie in four
// arrays or in a row.
// Options: --buffer=Item=random,count=2097152,below=1048576
#include "Pair.cuh"

constexpr int N = 1 << 21, Articles = 1 << 20;

struct alignas(16) Article {
  float Price, Tax, Rebate, Weight;
};

__device__ float cost(float Price, float Tax, float Rebate, float Weight,
                      int Count) {
  return Count * (Price * (1 - Rebate) * (1 + Tax) + 0.1f * Weight);
}

__global__ void before(const int *Item, const int *Count, const float *Price,
                       const float *Tax, const float *Rebate,
                       const float *Weight, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x, A = Item[I];
  Out[I] = cost(Price[A], Tax[A], Rebate[A], Weight[A], Count[I]);
}

__global__ void after(const int *Item, const int *Count, const Article *Of,
                      float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const Article A = Of[Item[I]];
  Out[I] = cost(A.Price, A.Tax, A.Rebate, A.Weight, Count[I]);
}

int main() {
  const int *Item = input<int>(N, Articles), *Count = input<int>(N, 10);
  const float *Columns = input<float>(4 * Articles);
  const float *Rows =
      arranged(Columns, 4 * Articles, 4 * Articles,
               [](size_t I) { return I % 4 * Articles + I / 4; });
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("join-columns-to-rows");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(Item, Count, Columns, Columns + Articles,
                               Columns + 2 * Articles, Columns + 3 * Articles,
                               Expected);
    else
      after<<<N / 256, 256>>>(Item, Count, (const Article *)Rows, Out);
}

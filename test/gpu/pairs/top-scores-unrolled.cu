// Rule: cuda-memory-local-array
// The six best of 64 scores of each of half a million candidates, kept sorted
// by insertion: the list is an array that is indexed by what data say, in local
// memory, or stays in registers, all six compared each time.
#include "Pair.cuh"

constexpr int N = 1 << 19, Scores = 64, Best = 6, MaxBest = 16;

__global__ void before(const float *__restrict__ Score, int Count,
                       float *__restrict__ Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float List[MaxBest];
  for (int K = 0; K < Count; ++K)
    List[K] = -1;
  for (int S = 0; S < Scores; ++S) {
    const float X = Score[S * N + I];
    if (X <= List[Count - 1])
      continue;
    int K = Count - 1;
    for (; K > 0 && List[K - 1] < X; --K)
      List[K] = List[K - 1];
    List[K] = X;
  }
  for (int K = 0; K < Count; ++K)
    Out[K * N + I] = List[K];
}

__global__ void after(const float *__restrict__ Score,
                      float *__restrict__ Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float List[Best];
#pragma unroll
  for (int K = 0; K < Best; ++K)
    List[K] = -1;
#pragma unroll 4
  for (int S = 0; S < Scores; ++S) {
    float X = Score[S * N + I];
#pragma unroll
    for (int K = 0; K < Best; ++K) {
      const float Less = fminf(List[K], X);
      List[K] = fmaxf(List[K], X);
      X = Less;
    }
  }
#pragma unroll
  for (int K = 0; K < Best; ++K)
    Out[K * N + I] = List[K];
}

int main() {
  const float *Score = input<float>(size_t(N) * Scores);
  float *Expected = output<float>(N * Best), *Out = output<float>(N * Best);
  Pair P("top-scores-unrolled");
  P.same(Expected, Out, N * Best);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(Score, Best, Expected);
    else
      after<<<N / 256, 256>>>(Score, Out);
}

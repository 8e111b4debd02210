// Rule: cuda-memory-misaligned
// The gradient of the cross entropy over a vocabulary of 50257 words: rows of
// logits lie one directly after the other, or each begins at a multiple of 256
// bytes, as if there were 50304 words.
#include "Pair.cuh"

constexpr int Rows = 256, Words = 50257, Padded = 50304, Chunks = 8;

__device__ void gradient(const float *Logits, const int *Target,
                         const float *LogSum, float *Gradient, size_t Pitch) {
  const size_t Row = blockIdx.y;
  const float Sum = LogSum[Row];
  const int Right = Target[Row];
  for (int W = blockIdx.x * blockDim.x + threadIdx.x; W < Words;
       W += Chunks * blockDim.x)
    Gradient[Row * Pitch + W] =
        __expf(Logits[Row * Pitch + W] - Sum) - (W == Right ? 1.f : 0.f);
}

__global__ void before(const float *__restrict__ Logits,
                       const int *__restrict__ Target,
                       const float *__restrict__ LogSum,
                       float *__restrict__ Gradient) {
  gradient(Logits, Target, LogSum, Gradient, Words);
}

__global__ void after(const float *__restrict__ Logits,
                      const int *__restrict__ Target,
                      const float *__restrict__ LogSum,
                      float *__restrict__ Gradient) {
  gradient(Logits, Target, LogSum, Gradient, Padded);
}

int main() {
  const size_t N = size_t(Rows) * Words, Wide = size_t(Rows) * Padded;
  const float *Logits = input<float>(N), *LogSum = input<float>(Rows);
  const float *Pitched = arranged(Logits, N, Wide, [](size_t I) {
    return I / Padded * Words + std::min<size_t>(I % Padded, Words - 1);
  });
  const int *Target = input<int>(Rows, Words);
  float *Expected = output<float>(Wide), *Out = output<float>(Wide);
  Pair P("logits-vocabulary-padded");
  // What lies past the packed rows is zero, as is the end of a padded row.
  P.same(Expected, Out, Wide, [](size_t I) -> size_t {
    return I < size_t(Rows) * Words ? I / Words * Padded + I % Words : Words;
  });
  const dim3 Grid(Chunks, Rows);
  while (P.next())
    if (P.beforesTurn())
      before<<<Grid, 512>>>(Logits, Target, LogSum, Expected);
    else
      after<<<Grid, 512>>>(Pitched, Target, LogSum, Out);
}

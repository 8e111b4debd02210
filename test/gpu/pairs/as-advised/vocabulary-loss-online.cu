// Rule: cuda-memory-repeated-pass
// The cross entropy of 1024 rows of 32768 logits: a block reads its row for
// the greatest and again for the sum of exponentials; as advised, once, as
// each thread keeps its 64 logits in registers.
#include "../Pair.cuh"

constexpr int Rows = 1024, Words = 32768, Threads = 512;

/// The greatest, and the sum of exponentials relative to it.
struct Tally {
  float Greatest, Sum;
};

__device__ __forceinline__ Tally merged(Tally A, Tally B) {
  const float Greatest = fmaxf(A.Greatest, B.Greatest);
  return {Greatest, A.Sum * __expf(A.Greatest - Greatest) +
                        B.Sum * __expf(B.Greatest - Greatest)};
}

__device__ Tally ofBlock(Tally Own) {
  __shared__ Tally Part[Threads];
  const int T = threadIdx.x;
  __syncthreads();
  Part[T] = Own;
  __syncthreads();
  for (int Step = Threads / 2; Step > 0; Step /= 2) {
    if (T < Step)
      Part[T] = merged(Part[T], Part[T + Step]);
    __syncthreads();
  }
  return Part[0];
}

__global__ void before(const float *Logits, const int *Target, float *Loss) {
  const float *Row = Logits + size_t(blockIdx.x) * Words;
  float Greatest = -1e30f;
  for (int I = threadIdx.x; I < Words; I += Threads)
    Greatest = fmaxf(Greatest, 10 * Row[I]);
  Greatest = ofBlock({Greatest, 0}).Greatest;
  float Sum = 0;
  for (int I = threadIdx.x; I < Words; I += Threads)
    Sum += __expf(10 * Row[I] - Greatest);
  const Tally All = ofBlock({Greatest, Sum});
  if (threadIdx.x == 0)
    Loss[blockIdx.x] =
        __logf(All.Sum) + All.Greatest - 10 * Row[Target[blockIdx.x]];
}

__global__ void __launch_bounds__(Threads)
    after(const float *Logits, const int *Target, float *Loss) {
  constexpr int Each = Words / Threads;
  const float *Row = Logits + size_t(blockIdx.x) * Words;
  float Mine[Each];
#pragma unroll
  for (int I = 0; I < Each; ++I)
    Mine[I] = Row[I * Threads + threadIdx.x];
  float Greatest = -1e30f;
#pragma unroll
  for (int I = 0; I < Each; ++I)
    Greatest = fmaxf(Greatest, 10 * Mine[I]);
  Greatest = ofBlock({Greatest, 0}).Greatest;
  float Sum = 0;
#pragma unroll
  for (int I = 0; I < Each; ++I)
    Sum += __expf(10 * Mine[I] - Greatest);
  const Tally All = ofBlock({Greatest, Sum});
  if (threadIdx.x == 0)
    Loss[blockIdx.x] =
        __logf(All.Sum) + All.Greatest - 10 * Row[Target[blockIdx.x]];
}

int main() {
  const float *Logits = input<float>(size_t(Rows) * Words);
  const int *Target = input<int>(Rows, Words);
  float *Expected = output<float>(Rows), *Out = output<float>(Rows);
  Pair P("vocabulary-loss-online-as-advised");
  P.same(Expected, Out, Rows);
  while (P.next())
    if (P.beforesTurn())
      before<<<Rows, Threads>>>(Logits, Target, Expected);
    else
      after<<<Rows, Threads>>>(Logits, Target, Out);
}

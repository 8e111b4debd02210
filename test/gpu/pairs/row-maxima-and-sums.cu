// Rule: cuda-memory-repeated-pass
// Least, greatest and mean of 2048 rows of 65536 numbers: three loops over a
// row, or one.
#include "Pair.cuh"

constexpr int Rows = 2048, Long = 65536, Threads = 512;

template <class F> __device__ float ofBlock(float Mine, F Join) {
  __shared__ float Part[Threads / 32];
  for (int Step = 16; Step > 0; Step /= 2)
    Mine = Join(Mine, __shfl_xor_sync(~0u, Mine, Step));
  if (threadIdx.x % 32 == 0)
    Part[threadIdx.x / 32] = Mine;
  __syncthreads();
  float All = Part[0];
  for (int W = 1; W < Threads / 32; ++W)
    All = Join(All, Part[W]);
  __syncthreads();
  return All;
}

__device__ void put(float *Out, float Least, float Most, float Sum) {
  const auto Less = [](float A, float B) { return fminf(A, B); };
  const auto More = [](float A, float B) { return fmaxf(A, B); };
  const auto Both = [](float A, float B) { return A + B; };
  Least = ofBlock(Least, Less);
  Most = ofBlock(Most, More);
  Sum = ofBlock(Sum, Both);
  if (threadIdx.x == 0)
    Out[blockIdx.x] = (Sum / Long - Least) / (Most - Least + 1);
}

__global__ void before(const float *__restrict__ In, float *__restrict__ Out) {
  const float *Row = In + size_t(blockIdx.x) * Long;
  float Least = 1e30f, Most = -1e30f, Sum = 0;
  for (int I = threadIdx.x; I < Long; I += Threads)
    Least = fminf(Least, Row[I]);
  for (int I = threadIdx.x; I < Long; I += Threads)
    Most = fmaxf(Most, Row[I]);
  for (int I = threadIdx.x; I < Long; I += Threads)
    Sum += Row[I];
  put(Out, Least, Most, Sum);
}

__global__ void after(const float *__restrict__ In, float *__restrict__ Out) {
  const float *Row = In + size_t(blockIdx.x) * Long;
  float Least = 1e30f, Most = -1e30f, Sum = 0;
  for (int I = threadIdx.x; I < Long; I += Threads) {
    const float Next = Row[I];
    Least = fminf(Least, Next);
    Most = fmaxf(Most, Next);
    Sum += Next;
  }
  put(Out, Least, Most, Sum);
}

int main() {
  const float *In = input<float>(size_t(Rows) * Long);
  float *Expected = output<float>(Rows), *Out = output<float>(Rows);
  Pair P("row-maxima-and-sums");
  P.same(Expected, Out, Rows);
  while (P.next())
    if (P.beforesTurn())
      before<<<Rows, Threads>>>(In, Expected);
    else
      after<<<Rows, Threads>>>(In, Out);
}

// Rule: cuda-memory-repeated-pass
// Temperature, softmax and the min-p rule over 512 rows of 32000 logits, a
// block for each: what each pass writes the next reads back from global
// memory, or a thread keeps its 32 numbers in registers.
#include "Pair.cuh"

constexpr int Rows = 512, Words = 32000, Threads = 1024;
constexpr int Each = (Words + Threads - 1) / Threads;
constexpr float Cold = 10.f, MinP = 0.05f, Lowest = -1e30f;

template <class F> __device__ float reduced(float Value, float Zero, F Join) {
  __shared__ float Parts[32];
  for (int Step = 16; Step > 0; Step /= 2)
    Value = Join(Value, __shfl_xor_sync(~0u, Value, Step));
  __syncthreads();
  if (threadIdx.x % 32 == 0)
    Parts[threadIdx.x / 32] = Value;
  __syncthreads();
  Value = threadIdx.x % 32 < Threads / 32 ? Parts[threadIdx.x % 32] : Zero;
  for (int Step = 16; Step > 0; Step /= 2)
    Value = Join(Value, __shfl_xor_sync(~0u, Value, Step));
  return Value;
}

__device__ float greatest(float Value) {
  return reduced(Value, Lowest, [](float A, float B) { return fmaxf(A, B); });
}

__device__ float total(float Value) {
  return reduced(Value, 0, [](float A, float B) { return A + B; });
}

__device__ float weight(float Logit, float Top) {
  const float Weight = __expf(Logit - Top);
  return Weight < MinP ? 0.f : Weight;
}

__global__ void before(const float *__restrict__ Logits,
                       float *__restrict__ Chances, float *__restrict__ Mass) {
  const float *In = Logits + size_t(blockIdx.x) * Words;
  float *Out = Chances + size_t(blockIdx.x) * Words;
  float Top = Lowest, Sum = 0;
  for (int I = threadIdx.x; I < Words; I += Threads) {
    Out[I] = In[I] * Cold;
    Top = fmaxf(Top, Out[I]);
  }
  Top = greatest(Top);
  for (int I = threadIdx.x; I < Words; I += Threads) {
    const float Weight = weight(Out[I], Top);
    Out[I] = Weight;
    Sum += Weight;
  }
  Sum = total(Sum);
  for (int I = threadIdx.x; I < Words; I += Threads)
    Out[I] /= Sum;
  if (threadIdx.x == 0)
    Mass[blockIdx.x] = Sum;
}

__global__ void after(const float *__restrict__ Logits,
                      float *__restrict__ Chances, float *__restrict__ Mass) {
  const float *In = Logits + size_t(blockIdx.x) * Words;
  float *Out = Chances + size_t(blockIdx.x) * Words;
  float Mine[Each], Top = Lowest, Sum = 0;
#pragma unroll
  for (int K = 0; K < Each; ++K) {
    const int I = K * Threads + threadIdx.x;
    Mine[K] = I < Words ? In[I] * Cold : Lowest;
    Top = fmaxf(Top, Mine[K]);
  }
  Top = greatest(Top);
#pragma unroll
  for (int K = 0; K < Each; ++K) {
    Mine[K] = weight(Mine[K], Top);
    Sum += Mine[K];
  }
  Sum = total(Sum);
#pragma unroll
  for (int K = 0; K < Each; ++K) {
    const int I = K * Threads + threadIdx.x;
    if (I < Words)
      Out[I] = Mine[K] / Sum;
  }
  if (threadIdx.x == 0)
    Mass[blockIdx.x] = Sum;
}

int main() {
  const size_t N = size_t(Rows) * Words;
  const float *Logits = input<float>(N);
  float *Expected = output<float>(N), *Out = output<float>(N);
  float *ExpectedMass = output<float>(Rows), *Mass = output<float>(Rows);
  Pair P("min-p-sampler-row-kept");
  P.same(Expected, Out, N);
  P.same(ExpectedMass, Mass, Rows);
  while (P.next())
    if (P.beforesTurn())
      before<<<Rows, Threads>>>(Logits, Expected, ExpectedMass);
    else
      after<<<Rows, Threads>>>(Logits, Out, Mass);
}

// Rule: cuda-memory-gather
// A banded sparse matrix of a million rows of sixteen entries times a vector:
// numbers of columns are of 64 bits or of 32.
#include "Pair.cuh"

constexpr int N = 1 << 20, PerRow = 16;

template <class Index>
__device__ __forceinline__ void
multiply(const Index *Column, const float *Value, const float *X, float *Y) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Sum = 0;
#pragma unroll 8
  for (int K = 0; K < PerRow; ++K)
    Sum += Value[K * N + I] * X[Column[K * N + I]];
  Y[I] = Sum;
}

__global__ void before(const long long *__restrict__ Column,
                       const float *__restrict__ Value,
                       const float *__restrict__ X, float *__restrict__ Y) {
  multiply(Column, Value, X, Y);
}

__global__ void after(const int *__restrict__ Column,
                      const float *__restrict__ Value,
                      const float *__restrict__ X, float *__restrict__ Y) {
  multiply(Column, Value, X, Y);
}

int main() {
  std::vector<long long> Long(size_t(N) * PerRow);
  std::vector<int> Short(Long.size());
  for (size_t I = 0; I < Long.size(); ++I)
    Long[I] = Short[I] = int((I % N + mixed(I) % 64) % N);
  const long long *LongColumn = onDevice(Long);
  const int *Column = onDevice(Short);
  const float *Value = input<float>(Long.size()), *X = input<float>(N);
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("column-indices-32-bit");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(LongColumn, Value, X, Expected);
    else
      after<<<N / 256, 256>>>(Column, Value, X, Out);
}

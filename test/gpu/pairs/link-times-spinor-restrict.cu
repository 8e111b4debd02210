// Rule: cuda-memory-missing-restrict
// Lattice gauge theory: the SU(3) link of each site times its colour vector, in
// planes of complex numbers. Without __restrict__ the vector is loaded again
// after each row of the result.
#include "Pair.cuh"

constexpr int Sites = 32 * 32 * 32 * 24;

__device__ float2 madd(float2 A, float2 B, float2 C) {
  return make_float2(A.x * B.x - A.y * B.y + C.x, A.x * B.y + A.y * B.x + C.y);
}

__global__ void before(const float2 *Link, const float2 *Spinor, float2 *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll
  for (int Row = 0; Row < 3; ++Row) {
    float2 Sum = make_float2(0, 0);
#pragma unroll
    for (int K = 0; K < 3; ++K)
      Sum = madd(Link[(3 * Row + K) * Sites + I], Spinor[K * Sites + I], Sum);
    Out[Row * Sites + I] = Sum;
  }
}

__global__ void after(const float2 *__restrict__ Link,
                      const float2 *__restrict__ Spinor,
                      float2 *__restrict__ Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll
  for (int Row = 0; Row < 3; ++Row) {
    float2 Sum = make_float2(0, 0);
#pragma unroll
    for (int K = 0; K < 3; ++K)
      Sum = madd(Link[(3 * Row + K) * Sites + I], Spinor[K * Sites + I], Sum);
    Out[Row * Sites + I] = Sum;
  }
}

int main() {
  const float *Links = input<float>(18 * Sites),
              *Spinors = input<float>(6 * Sites);
  const auto *Link = (const float2 *)Links, *Spinor = (const float2 *)Spinors;
  float *Expected = output<float>(6 * Sites), *Out = output<float>(6 * Sites);
  Pair P("link-times-spinor-restrict");
  P.same(Expected, Out, 6 * Sites);
  while (P.next())
    if (P.beforesTurn())
      before<<<Sites / 256, 256>>>(Link, Spinor, (float2 *)Expected);
    else
      after<<<Sites / 256, 256>>>(Link, Spinor, (float2 *)Out);
}

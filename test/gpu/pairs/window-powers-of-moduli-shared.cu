// Rule: cuda-memory-local-array
// Powers modulo numbers of 63 bits, as a test for primes takes them: each
// thread multiplies by one of its sixteen first powers for each four bits of
// its exponent. The powers are in local memory or in columns of shared memory.
// Options: --buffer=Exponent=random,count=524288,below=2147483647
#include "Pair.cuh"

constexpr int N = 1 << 18, Block = 128, Window = 16;

__device__ uint64_t joined(const uint32_t *Words, int I) {
  return uint64_t(Words[N + I]) << 32 | Words[I];
}

// Montgomery's product.
__device__ uint64_t times(uint64_t A, uint64_t B, uint64_t Modulus,
                          uint64_t Inverse) {
  const uint64_t High = __umul64hi(A, B);
  const uint64_t Less = __umul64hi(A * B * Inverse, Modulus);
  return High >= Less ? High - Less : High - Less + Modulus;
}

__device__ uint64_t inverted(uint64_t Modulus) {
  uint64_t Inverse = Modulus;
#pragma unroll
  for (int I = 0; I < 5; ++I)
    Inverse *= 2 - Modulus * Inverse;
  return Inverse;
}

__global__ void before(const uint32_t *__restrict__ Base,
                       const uint32_t *__restrict__ Exponent,
                       const uint32_t *__restrict__ Number,
                       uint64_t *__restrict__ Power) {
  const int I = blockIdx.x * Block + threadIdx.x;
  const uint64_t Modulus = joined(Number, I) | uint64_t(1) << 62 | 1;
  const uint64_t Inverse = inverted(Modulus);
  const uint64_t First = joined(Base, I), Bits = joined(Exponent, I);
  uint64_t Powers[Window];
  Powers[0] = -Modulus % Modulus;
#pragma unroll
  for (int K = 1; K < Window; ++K)
    Powers[K] = times(Powers[K - 1], First, Modulus, Inverse);
  uint64_t Result = Powers[Bits >> 60];
  for (int Shift = 56; Shift >= 0; Shift -= 4) {
#pragma unroll
    for (int K = 0; K < 4; ++K)
      Result = times(Result, Result, Modulus, Inverse);
    Result = times(Result, Powers[Bits >> Shift & 15], Modulus, Inverse);
  }
  Power[I] = times(Result, 1, Modulus, Inverse);
}

__global__ void after(const uint32_t *__restrict__ Base,
                      const uint32_t *__restrict__ Exponent,
                      const uint32_t *__restrict__ Number,
                      uint64_t *__restrict__ Power) {
  __shared__ uint64_t Powers[Window][Block];
  const int T = threadIdx.x, I = blockIdx.x * Block + T;
  const uint64_t Modulus = joined(Number, I) | uint64_t(1) << 62 | 1;
  const uint64_t Inverse = inverted(Modulus);
  const uint64_t First = joined(Base, I), Bits = joined(Exponent, I);
  uint64_t Last = -Modulus % Modulus;
  Powers[0][T] = Last;
#pragma unroll
  for (int K = 1; K < Window; ++K) {
    Last = times(Last, First, Modulus, Inverse);
    Powers[K][T] = Last;
  }
  uint64_t Result = Powers[Bits >> 60][T];
  for (int Shift = 56; Shift >= 0; Shift -= 4) {
#pragma unroll
    for (int K = 0; K < 4; ++K)
      Result = times(Result, Result, Modulus, Inverse);
    Result = times(Result, Powers[Bits >> Shift & 15][T], Modulus, Inverse);
  }
  Power[I] = times(Result, 1, Modulus, Inverse);
}

int main() {
  const uint32_t *Base = input<uint32_t>(2 * N, 1 << 30),
                 *Exponent = input<uint32_t>(2 * N, 2147483647),
                 *Number = input<uint32_t>(2 * N, 2147483647);
  uint64_t *Expected = output<uint64_t>(N), *Out = output<uint64_t>(N);
  Pair P("window-powers-of-moduli-shared");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / Block, Block>>>(Base, Exponent, Number, Expected);
    else
      after<<<N / Block, Block>>>(Base, Exponent, Number, Out);
}

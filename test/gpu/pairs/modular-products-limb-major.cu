// Rule: cuda-memory-uncoalesced-access
// Montgomery products modulo a prime of 254 bits, a thread for each: the eight
// limbs of a number side by side, or the same limb of all numbers.
#include "Pair.cuh"

constexpr int N = 1 << 20, Limbs = 8;

/// Below twice the prime, as is usual between products.
__device__ void multiply(const uint32_t (&A)[Limbs], const uint32_t (&B)[Limbs],
                         uint32_t (&Result)[Limbs]) {
  constexpr uint32_t Prime[Limbs] = {0xd87cfd47, 0x3c208c16, 0x6871ca8d,
                                     0x97816a91, 0x8181585d, 0xb85045b6,
                                     0xe131a029, 0x30644e72};
  constexpr uint32_t Inverse = 0xe4866389;
  uint32_t T[Limbs + 1] = {};
#pragma unroll
  for (int I = 0; I < Limbs; ++I) {
    uint64_t Carry = 0;
#pragma unroll
    for (int J = 0; J < Limbs; ++J) {
      Carry += uint64_t(A[J]) * B[I] + T[J];
      T[J] = uint32_t(Carry);
      Carry >>= 32;
    }
    const uint64_t Top = Carry + T[Limbs];
    const uint32_t M = T[0] * Inverse;
    Carry = (uint64_t(M) * Prime[0] + T[0]) >> 32;
#pragma unroll
    for (int J = 1; J < Limbs; ++J) {
      Carry += uint64_t(M) * Prime[J] + T[J];
      T[J - 1] = uint32_t(Carry);
      Carry >>= 32;
    }
    Carry += Top;
    T[Limbs - 1] = uint32_t(Carry);
    T[Limbs] = uint32_t(Carry >> 32);
  }
#pragma unroll
  for (int I = 0; I < Limbs; ++I)
    Result[I] = T[I];
}

__global__ void before(const uint32_t *__restrict__ Left,
                       const uint32_t *__restrict__ Right,
                       uint32_t *__restrict__ Product) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  uint32_t A[Limbs], B[Limbs], C[Limbs];
#pragma unroll
  for (int L = 0; L < Limbs; ++L) {
    A[L] = Left[I * Limbs + L];
    B[L] = Right[I * Limbs + L];
  }
  multiply(A, B, C);
#pragma unroll
  for (int L = 0; L < Limbs; ++L)
    Product[I * Limbs + L] = C[L];
}

__global__ void after(const uint32_t *__restrict__ Left,
                      const uint32_t *__restrict__ Right,
                      uint32_t *__restrict__ Product) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  uint32_t A[Limbs], B[Limbs], C[Limbs];
#pragma unroll
  for (int L = 0; L < Limbs; ++L) {
    A[L] = Left[L * N + I];
    B[L] = Right[L * N + I];
  }
  multiply(A, B, C);
#pragma unroll
  for (int L = 0; L < Limbs; ++L)
    Product[L * N + I] = C[L];
}

int main() {
  constexpr size_t All = size_t(N) * Limbs;
  const auto Turned = [](size_t I) { return I % N * Limbs + I / N; };
  const uint32_t *Left = input<uint32_t>(2 * All, 0x30000000),
                 *Right = Left + All;
  const uint32_t *LeftTurned = arranged(Left, All, All, Turned),
                 *RightTurned = arranged(Right, All, All, Turned);
  uint32_t *Expected = output<uint32_t>(All), *Out = output<uint32_t>(All);
  Pair P("modular-products-limb-major");
  P.same(Expected, Out, All,
         [](size_t I) { return I % Limbs * N + I / Limbs; });
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 128, 128>>>(Left, Right, Expected);
    else
      after<<<N / 128, 128>>>(LeftTurned, RightTurned, Out);
}

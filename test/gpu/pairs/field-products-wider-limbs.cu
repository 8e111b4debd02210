// Rule: ?
// Sixteen products in the field of Curve25519 (folded to 256 bits) for each
// thread: eight limbs of 32 bits and 64 products of them, or four limbs of 64
// bits and sixteen products.
#include "Pair.cuh"

constexpr int N = 1 << 16, Rounds = 16;

__global__ void before(const unsigned *__restrict__ Left,
                       const unsigned *__restrict__ Right, unsigned *Out) {
  const int I = blockIdx.x * 128 + threadIdx.x;
  unsigned X[8], Y[8];
  for (int Limb = 0; Limb < 8; ++Limb) {
    X[Limb] = Left[Limb * N + I];
    Y[Limb] = Right[Limb * N + I];
  }
#pragma unroll 1
  for (int Round = 0; Round < Rounds; ++Round) {
    unsigned Wide[16] = {};
    uint64_t Carry, Sum;
#pragma unroll
    for (int A = 0; A < 8; ++A) {
      Carry = 0;
#pragma unroll
      for (int B = 0; B < 8; ++B) {
        Sum = uint64_t(X[A]) * Y[B] + Wide[A + B] + Carry;
        Wide[A + B] = unsigned(Sum);
        Carry = Sum >> 32;
      }
      Wide[A + 8] = unsigned(Carry);
    }
    Carry = 0;
#pragma unroll
    for (int A = 0; A < 8; ++A) {
      Sum = uint64_t(Wide[A + 8]) * 38 + Wide[A] + Carry;
      X[A] = unsigned(Sum);
      Carry = Sum >> 32;
    }
    Carry *= 38;
#pragma unroll
    for (int A = 0; A < 8; ++A) {
      Sum = X[A] + Carry;
      X[A] = unsigned(Sum);
      Carry = Sum >> 32;
    }
    X[0] += 38 * unsigned(Carry);
  }
  for (int Limb = 0; Limb < 8; ++Limb)
    Out[Limb * N + I] = X[Limb];
}

__global__ void after(const unsigned *__restrict__ Left,
                      const unsigned *__restrict__ Right, unsigned *Out) {
  using Double = unsigned __int128;
  const int I = blockIdx.x * 128 + threadIdx.x;
  uint64_t X[4], Y[4];
  for (int Limb = 0; Limb < 4; ++Limb) {
    X[Limb] = uint64_t(Left[(2 * Limb + 1) * N + I]) << 32 |
              Left[2 * Limb * N + I];
    Y[Limb] = uint64_t(Right[(2 * Limb + 1) * N + I]) << 32 |
              Right[2 * Limb * N + I];
  }
#pragma unroll 1
  for (int Round = 0; Round < Rounds; ++Round) {
    uint64_t Wide[8] = {};
    Double Carry, Sum;
#pragma unroll
    for (int A = 0; A < 4; ++A) {
      Carry = 0;
#pragma unroll
      for (int B = 0; B < 4; ++B) {
        Sum = Double(X[A]) * Y[B] + Wide[A + B] + Carry;
        Wide[A + B] = uint64_t(Sum);
        Carry = Sum >> 64;
      }
      Wide[A + 4] = uint64_t(Carry);
    }
    Carry = 0;
#pragma unroll
    for (int A = 0; A < 4; ++A) {
      Sum = Double(Wide[A + 4]) * 38 + Wide[A] + Carry;
      X[A] = uint64_t(Sum);
      Carry = Sum >> 64;
    }
    Carry *= 38;
#pragma unroll
    for (int A = 0; A < 4; ++A) {
      Sum = X[A] + Carry;
      X[A] = uint64_t(Sum);
      Carry = Sum >> 64;
    }
    X[0] += 38 * uint64_t(Carry);
  }
  for (int Limb = 0; Limb < 8; ++Limb)
    Out[Limb * N + I] = unsigned(X[Limb / 2] >> Limb % 2 * 32);
}

int main() {
  const unsigned *Both = input<unsigned>(16 * N, 0xffffffff);
  unsigned *Expected = output<unsigned>(8 * N), *Out = output<unsigned>(8 * N);
  Pair P("field-products-wider-limbs");
  P.same(Expected, Out, 8 * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 128, 128>>>(Both, Both + 8 * N, Expected);
    else
      after<<<N / 128, 128>>>(Both, Both + 8 * N, Out);
}

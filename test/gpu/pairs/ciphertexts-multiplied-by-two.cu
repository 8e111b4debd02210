// Rule: cuda-memory-scalar-stream
// Homomorphic products of ciphertexts: two polynomials times two give three,
// coefficient by coefficient modulo twelve primes of 60 bits in Montgomery's
// form. A thread takes one coefficient of 8 bytes, or two with 16 bytes.
#include "Pair.cuh"

constexpr int Degree = 1 << 14, Limbs = 12, Batch = 8, Block = 256;
constexpr int Stride = Limbs * Degree;

struct Modulus {
  uint64_t Q, Inverse; // Inverse is -1 / Q modulo 2^64.
};

__constant__ Modulus Moduli[Limbs];

__device__ uint64_t product(uint64_t A, uint64_t B, Modulus M) {
  const uint64_t Low = A * B, High = __umul64hi(A, B);
  const uint64_t Sum = High + __umul64hi(Low * M.Inverse, M.Q) + (Low != 0);
  return Sum >= M.Q ? Sum - M.Q : Sum;
}

__device__ void multiply(uint64_t A0, uint64_t A1, uint64_t B0, uint64_t B1,
                         Modulus M, uint64_t &C0, uint64_t &C1, uint64_t &C2) {
  C0 = product(A0, B0, M);
  C2 = product(A1, B1, M);
  const uint64_t Cross = product(A0, B1, M) + product(A1, B0, M);
  C1 = Cross >= M.Q ? Cross - M.Q : Cross;
}

__global__ void before(const uint64_t *__restrict__ A,
                       const uint64_t *__restrict__ B,
                       uint64_t *__restrict__ C) {
  const int I = blockIdx.y * Degree + blockIdx.x * Block + threadIdx.x;
  const int In = blockIdx.z * 2 * Stride + I, To = blockIdx.z * 3 * Stride + I;
  const Modulus M = Moduli[blockIdx.y];
  uint64_t C0, C1, C2;
  multiply(A[In], A[In + Stride], B[In], B[In + Stride], M, C0, C1, C2);
  C[To] = C0;
  C[To + Stride] = C1;
  C[To + 2 * Stride] = C2;
}

__global__ void after(const ulonglong2 *__restrict__ A,
                      const ulonglong2 *__restrict__ B,
                      ulonglong2 *__restrict__ C) {
  constexpr int Half = Stride / 2;
  const int I = blockIdx.y * (Degree / 2) + blockIdx.x * Block + threadIdx.x;
  const int In = blockIdx.z * 2 * Half + I, To = blockIdx.z * 3 * Half + I;
  const Modulus M = Moduli[blockIdx.y];
  const ulonglong2 A0 = A[In], A1 = A[In + Half], B0 = B[In],
                   B1 = B[In + Half];
  uint64_t X0, X1, X2, Y0, Y1, Y2;
  multiply(A0.x, A1.x, B0.x, B1.x, M, X0, X1, X2);
  multiply(A0.y, A1.y, B0.y, B1.y, M, Y0, Y1, Y2);
  C[To] = make_ulonglong2(X0, Y0);
  C[To + Half] = make_ulonglong2(X1, Y1);
  C[To + 2 * Half] = make_ulonglong2(X2, Y2);
}

int main() {
  Modulus Table[Limbs];
  for (int L = 0; L < Limbs; ++L) {
    const uint64_t Q = (uint64_t(1) << 60) + 2 * Degree * (37 * L + 5) + 1;
    uint64_t Inverse = 1;
    for (int I = 0; I < 6; ++I)
      Inverse *= 2 - Q * Inverse;
    Table[L] = {Q, 0 - Inverse};
  }
  must(cudaMemcpyToSymbol(Moduli, Table, sizeof(Table)));
  constexpr size_t InCount = size_t(Batch) * 2 * Stride,
                   OutCount = size_t(Batch) * 3 * Stride;
  const uint32_t *A = input<uint32_t>(4 * InCount, 0x0fffffff),
                 *B = A + 2 * InCount;
  uint32_t *Expected = output<uint32_t>(2 * OutCount),
           *Out = output<uint32_t>(2 * OutCount);
  Pair P("ciphertexts-multiplied-by-two");
  P.same(Expected, Out, 2 * OutCount);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Degree / Block, Limbs, Batch), Block>>>(
          (const uint64_t *)A, (const uint64_t *)B, (uint64_t *)Expected);
    else
      after<<<dim3(Degree / Block / 2, Limbs, Batch), Block>>>(
          (const ulonglong2 *)A, (const ulonglong2 *)B, (ulonglong2 *)Out);
}

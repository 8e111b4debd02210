// Rule: cuda-memory-constant-nonuniform
// Pedersen commitments G^a H^b modulo 2^61 - 1: exponents are read in windows
// of four bits, each picks a power from a small table. The tables are in
// constant memory, where lanes ask for different words, or in shared memory.
#include "Pair.cuh"

constexpr int Count = 1 << 19, Windows = 16, Digits = 16, Block = 256;
constexpr uint64_t Prime = (uint64_t(1) << 61) - 1;

struct Powers {
  uint64_t G[Windows * Digits], H[Windows * Digits];
};

__constant__ Powers Table;

__device__ uint64_t product(uint64_t A, uint64_t B) {
  const uint64_t Low = A * B, High = __umul64hi(A, B);
  uint64_t Sum = (Low & Prime) + (Low >> 61 | High << 3);
  Sum = (Sum & Prime) + (Sum >> 61);
  return Sum >= Prime ? Sum - Prime : Sum;
}

__device__ int digit(uint32_t Low, uint32_t High, int Window) {
  return (Window < 8 ? Low >> 4 * Window : High >> 4 * (Window - 8)) & 15;
}

__global__ void before(const uint4 *__restrict__ Exponents,
                       uint64_t *__restrict__ Commitments) {
  const int I = blockIdx.x * Block + threadIdx.x;
  const uint4 E = Exponents[I];
  uint64_t Left = 1, Right = 1;
#pragma unroll
  for (int W = 0; W < Windows; ++W) {
    Left = product(Left, Table.G[W * Digits + digit(E.x, E.y, W)]);
    Right = product(Right, Table.H[W * Digits + digit(E.z, E.w, W)]);
  }
  Commitments[I] = product(Left, Right);
}

__global__ void after(const uint4 *__restrict__ Exponents,
                      const Powers *__restrict__ Global,
                      uint64_t *__restrict__ Commitments) {
  __shared__ Powers Near;
  Near.G[threadIdx.x] = Global->G[threadIdx.x];
  Near.H[threadIdx.x] = Global->H[threadIdx.x];
  const int I = blockIdx.x * Block + threadIdx.x;
  const uint4 E = Exponents[I];
  __syncthreads();
  uint64_t Left = 1, Right = 1;
#pragma unroll
  for (int W = 0; W < Windows; ++W) {
    Left = product(Left, Near.G[W * Digits + digit(E.x, E.y, W)]);
    Right = product(Right, Near.H[W * Digits + digit(E.z, E.w, W)]);
  }
  Commitments[I] = product(Left, Right);
}

static_assert(Block == Windows * Digits, "a thread copies an entry");

static uint64_t productOnHost(uint64_t A, uint64_t B) {
  return uint64_t((unsigned __int128)A * B % Prime);
}

static void fill(uint64_t *Entries, uint64_t Base) {
  for (int W = 0; W < Windows; ++W) {
    Entries[W * Digits] = 1;
    for (int D = 1; D < Digits; ++D)
      Entries[W * Digits + D] =
          productOnHost(Entries[W * Digits + D - 1], Base);
    Base = productOnHost(Entries[W * Digits + Digits - 1], Base);
  }
}

int main() {
  std::vector<Powers> Tables(1);
  fill(Tables[0].G, 37);
  fill(Tables[0].H, 0x123456789abcdef);
  must(cudaMemcpyToSymbol(Table, Tables.data(), sizeof(Powers)));
  const Powers *Global = onDevice(Tables);
  const uint4 *Exponents =
      (const uint4 *)input<uint32_t>(size_t(4) * Count, 0xffffffffu);
  uint64_t *Expected = output<uint64_t>(Count), *Out = output<uint64_t>(Count);
  Pair P("fixed-base-powers-in-shared");
  P.same((const uint32_t *)Expected, (const uint32_t *)Out, 2 * Count);
  while (P.next())
    if (P.beforesTurn())
      before<<<Count / Block, Block>>>(Exponents, Expected);
    else
      after<<<Count / Block, Block>>>(Exponents, Global, Out);
}

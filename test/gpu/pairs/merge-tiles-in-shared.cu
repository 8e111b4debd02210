// Rule: cuda-memory-uncoalesced-access
// Two sorted arrays of two million keys merged, eight keys a thread: a thread
// finds and merges its keys in global memory, or the block's 1024 keys come to
// shared memory first and go back from there.
#include "Pair.cuh"

constexpr int N = 1 << 21, Threads = 128, Each = 8, Tile = Threads * Each;

/// How many of the first \p Diagonal keys are from \p A.
__device__ int split(const uint32_t *A, int CountA, const uint32_t *B,
                     int CountB, int Diagonal) {
  int Low = max(0, Diagonal - CountB), High = min(Diagonal, CountA);
  while (Low < High) {
    const int Middle = (Low + High) / 2;
    if (A[Middle] <= B[Diagonal - 1 - Middle])
      Low = Middle + 1;
    else
      High = Middle;
  }
  return Low;
}

__global__ void before(const uint32_t *__restrict__ A,
                       const uint32_t *__restrict__ B,
                       uint32_t *__restrict__ Out) {
  const int First = (blockIdx.x * Threads + threadIdx.x) * Each;
  int I = split(A, N, B, N, First), J = First - I;
#pragma unroll
  for (int K = 0; K < Each; ++K) {
    const bool FromA = J >= N || (I < N && A[I] <= B[J]);
    Out[First + K] = FromA ? A[I++] : B[J++];
  }
}

__global__ void after(const uint32_t *__restrict__ A,
                      const uint32_t *__restrict__ B,
                      uint32_t *__restrict__ Out) {
  __shared__ uint32_t Keys[Tile];
  __shared__ int Ends[2];
  const int T = threadIdx.x, First = blockIdx.x * Tile;
  if (T < 2)
    Ends[T] = split(A, N, B, N, First + T * Tile);
  __syncthreads();
  const int FirstA = Ends[0], FirstB = First - FirstA;
  const int CountA = Ends[1] - FirstA, CountB = Tile - CountA;
  for (int I = T; I < Tile; I += Threads)
    Keys[I] = I < CountA ? A[FirstA + I] : B[FirstB + I - CountA];
  __syncthreads();
  const uint32_t *OfB = Keys + CountA;
  int I = split(Keys, CountA, OfB, CountB, T * Each), J = T * Each - I;
  uint32_t Merged[Each];
#pragma unroll
  for (int K = 0; K < Each; ++K) {
    const bool FromA = J >= CountB || (I < CountA && Keys[I] <= OfB[J]);
    Merged[K] = FromA ? Keys[I++] : OfB[J++];
  }
  __syncthreads();
#pragma unroll
  for (int K = 0; K < Each; ++K)
    Keys[T * Each + K] = Merged[K];
  __syncthreads();
  for (int K = T; K < Tile; K += Threads)
    Out[First + K] = Keys[K];
}

int main() {
  std::vector<uint32_t> Sorted[2];
  for (int Which = 0; Which < 2; ++Which) {
    uint32_t Key = 1;
    for (int I = 0; I < N; ++I)
      Sorted[Which].push_back(Key += mixed(2 * uint64_t(I) + Which) % 1000);
  }
  const uint32_t *A = onDevice(Sorted[0]), *B = onDevice(Sorted[1]);
  uint32_t *Expected = output<uint32_t>(2 * N), *Out = output<uint32_t>(2 * N);
  Pair P("merge-tiles-in-shared");
  P.same(Expected, Out, 2 * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<2 * N / Tile, Threads>>>(A, B, Expected);
    else
      after<<<2 * N / Tile, Threads>>>(A, B, Out);
}

// Rule: cuda-memory-uncoalesced-access
// A sweep of Gibbs sampling that draws a topic of 64 for each word of a text,
// by the counts of its document and of its word: a thread walks down both rows
// twice, or a warp has two topics a lane and sums the weights by shuffles.
// Options: --buffer=Word=random,count=262144,below=16384
// Options: --buffer=WordCount=random,count=1048576,below=30
// Options: --buffer=DocumentCount=random,count=65536,below=100
#include "Pair.cuh"

constexpr int N = 1 << 18, Topics = 64, Words = 1 << 14, Length = 256;

// Below Total, by chance.
__device__ unsigned drawn(int I, unsigned Seed, unsigned Total) {
  return __umulhi(mixed(uint64_t(Seed) << 32 | I), Total);
}

__global__ void before(const int *__restrict__ Word,
                       const unsigned *__restrict__ WordCount,
                       const unsigned *__restrict__ DocumentCount,
                       unsigned Seed, int *__restrict__ Topic) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned *OfWord = WordCount + Word[I] * Topics;
  const unsigned *OfDocument = DocumentCount + I / Length * Topics;
  unsigned Total = 0;
#pragma unroll 8
  for (int K = 0; K < Topics; ++K)
    Total += (OfWord[K] + 1) * (OfDocument[K] + 5);
  const unsigned Draw = drawn(I, Seed, Total);
  unsigned Sum = 0;
  int K = 0;
  for (; K < Topics - 1; ++K) {
    Sum += (OfWord[K] + 1) * (OfDocument[K] + 5);
    if (Sum > Draw)
      break;
  }
  Topic[I] = K;
}

__global__ void after(const int *__restrict__ Word,
                      const unsigned *__restrict__ WordCount,
                      const unsigned *__restrict__ DocumentCount,
                      unsigned Seed, int *__restrict__ Topic) {
  const int I = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int Lane = threadIdx.x % 32;
  const uint2 OfWord = reinterpret_cast<const uint2 *>(
      WordCount + Word[I] * Topics)[Lane];
  const uint2 OfDocument = reinterpret_cast<const uint2 *>(
      DocumentCount + I / Length * Topics)[Lane];
  const unsigned First = (OfWord.x + 1) * (OfDocument.x + 5);
  unsigned Sum = First + (OfWord.y + 1) * (OfDocument.y + 5);
  const unsigned Mine = Sum;
#pragma unroll
  for (int Step = 1; Step < 32; Step *= 2) {
    const unsigned Lower = __shfl_up_sync(~0u, Sum, Step);
    Sum += Lane >= Step ? Lower : 0;
  }
  const unsigned Total = __shfl_sync(~0u, Sum, 31);
  const unsigned Draw = drawn(I, Seed, Total);
  const int Chosen = __ffs(__ballot_sync(~0u, Sum > Draw)) - 1;
  if (Lane == Chosen)
    Topic[I] = 2 * Lane + (Sum - Mine + First <= Draw);
}

int main() {
  const int *Word = input<int>(N, Words);
  const unsigned *WordCount = input<unsigned>(Words * Topics, 30),
                 *DocumentCount = input<unsigned>(N / Length * Topics, 100);
  int *Expected = output<int>(N), *Out = output<int>(N);
  Pair P("topics-drawn-by-lanes");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 128, 128>>>(Word, WordCount, DocumentCount, 7, Expected);
    else
      after<<<N / 8, 256>>>(Word, WordCount, DocumentCount, 7, Out);
}

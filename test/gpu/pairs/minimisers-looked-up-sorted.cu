// Rule: cuda-memory-gather
// Read mapping: how often each minimiser occurs in the genome is the difference
// of two neighbouring words of a table of 256 MB. Minimisers are looked up as
// the reads have them, or sorted, with results scattered to where they belong.
// "Sort the indices so that gathers hit the same lines."
#include "Pair.cuh"

constexpr int Queries = 1 << 22, Buckets = 1 << 26, Block = 256;

__global__ void before(const unsigned *__restrict__ Minimisers,
                       const unsigned *__restrict__ Starts,
                       unsigned *__restrict__ Hits, unsigned Limit) {
  const int I = blockIdx.x * Block + threadIdx.x;
  const unsigned Bucket = Minimisers[I];
  const unsigned Count = Starts[Bucket + 1] - Starts[Bucket];
  Hits[I] = Count < Limit ? Count : 0;
}

__global__ void after(const unsigned *__restrict__ Sorted,
                      const unsigned *__restrict__ Places,
                      const unsigned *__restrict__ Starts,
                      unsigned *__restrict__ Hits, unsigned Limit) {
  const int I = blockIdx.x * Block + threadIdx.x;
  const unsigned Bucket = Sorted[I];
  const unsigned Count = Starts[Bucket + 1] - Starts[Bucket];
  Hits[Places[I]] = Count < Limit ? Count : 0;
}

int main() {
  std::vector<unsigned> Host(Queries), Places(Queries), Sorted(Queries);
  for (int I = 0; I < Queries; ++I) {
    Host[I] = mixed(I + 31) % Buckets;
    Places[I] = I;
  }
  std::sort(Places.begin(), Places.end(), [&Host](unsigned A, unsigned B) {
    return Host[A] != Host[B] ? Host[A] < Host[B] : A < B;
  });
  for (int I = 0; I < Queries; ++I)
    Sorted[I] = Host[Places[I]];
  std::vector<unsigned> HostStarts(Buckets + 1);
  for (int B = 0; B < Buckets; ++B)
    HostStarts[B + 1] = HostStarts[B] + mixed(B) % 90;
  const unsigned *Minimisers = onDevice(Host), *DeviceSorted = onDevice(Sorted),
                 *DevicePlaces = onDevice(Places),
                 *Starts = onDevice(HostStarts);
  unsigned *Expected = output<unsigned>(Queries),
           *Out = output<unsigned>(Queries);
  Pair P("minimisers-looked-up-sorted");
  P.same(Expected, Out, Queries);
  while (P.next())
    if (P.beforesTurn())
      before<<<Queries / Block, Block>>>(Minimisers, Starts, Expected, 80);
    else
      after<<<Queries / Block, Block>>>(DeviceSorted, DevicePlaces, Starts, Out,
                                        80);
}

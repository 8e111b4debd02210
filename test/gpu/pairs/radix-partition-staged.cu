// Rule: cuda-memory-gather
// Keys of a join divided among 64 partitions by hash: each thread writes its
// keys to where they belong, or the block first orders them in shared memory,
// so that neighbouring threads write neighbouring keys of a partition.
#include "Pair.cuh"

constexpr int Count = 1 << 23, Parts = 64;
constexpr int Warps = 8, Rounds = 16, Tile = Warps * Rounds * 32;

__host__ __device__ int partOf(unsigned Key) {
  return (Key * 2654435769u) >> 26;
}

// Loads the tile's keys and ranks each among those of its part and warp; then
// Starts says where a warp's keys of a part begin. Returns the size of part
// threadIdx.x in this tile.
__device__ int rankKeys(const unsigned *Keys, int (&Starts)[Warps][Parts],
                        unsigned (&Key)[Rounds], int (&Rank)[Rounds]) {
  const int Warp = threadIdx.x / 32, Lane = threadIdx.x % 32;
  for (int I = Lane; I < Parts; I += 32)
    Starts[Warp][I] = 0;
  __syncwarp();
#pragma unroll
  for (int R = 0; R < Rounds; ++R)
    Key[R] = Keys[(Warp * Rounds + R) * 32 + Lane];
#pragma unroll
  for (int R = 0; R < Rounds; ++R) {
    const int P = partOf(Key[R]);
    const unsigned Peers = __match_any_sync(~0u, P);
    const int Lower = __popc(Peers & ((1u << Lane) - 1));
    Rank[R] = Starts[Warp][P] + Lower;
    __syncwarp();
    if (Lower == 0)
      Starts[Warp][P] += __popc(Peers);
    __syncwarp();
  }
  __syncthreads();
  int Sum = 0;
  if (threadIdx.x < Parts)
    for (int W = 0; W < Warps; ++W) {
      const int Own = Starts[W][threadIdx.x];
      Starts[W][threadIdx.x] = Sum;
      Sum += Own;
    }
  __syncthreads();
  return Sum;
}

__global__ void before(const unsigned *__restrict__ Keys,
                       const int *__restrict__ Bases,
                       unsigned *__restrict__ Out) {
  __shared__ int Starts[Warps][Parts];
  unsigned Key[Rounds];
  int Rank[Rounds];
  rankKeys(Keys + blockIdx.x * Tile, Starts, Key, Rank);
#pragma unroll
  for (int R = 0; R < Rounds; ++R) {
    const int P = partOf(Key[R]);
    Out[Bases[blockIdx.x * Parts + P] + Starts[threadIdx.x / 32][P] + Rank[R]] =
        Key[R];
  }
}

__global__ void after(const unsigned *__restrict__ Keys,
                      const int *__restrict__ Bases,
                      unsigned *__restrict__ Out) {
  __shared__ int Starts[Warps][Parts], Begin[Parts];
  __shared__ unsigned Ordered[Tile];
  unsigned Key[Rounds];
  int Rank[Rounds];
  const int Size = rankKeys(Keys + blockIdx.x * Tile, Starts, Key, Rank);
  if (threadIdx.x < Parts)
    Begin[threadIdx.x] = Size;
  __syncthreads();
  if (threadIdx.x < 32) {
    const int A = Begin[2 * threadIdx.x], B = Begin[2 * threadIdx.x + 1];
    int Sum = A + B;
    for (int D = 1; D < 32; D *= 2) {
      const int Left = __shfl_up_sync(~0u, Sum, D);
      if (threadIdx.x >= D)
        Sum += Left;
    }
    Begin[2 * threadIdx.x] = Sum - A - B;
    Begin[2 * threadIdx.x + 1] = Sum - B;
  }
  __syncthreads();
#pragma unroll
  for (int R = 0; R < Rounds; ++R) {
    const int P = partOf(Key[R]);
    Ordered[Begin[P] + Starts[threadIdx.x / 32][P] + Rank[R]] = Key[R];
  }
  __syncthreads();
  for (int I = threadIdx.x; I < Tile; I += Warps * 32) {
    const int P = partOf(Ordered[I]);
    Out[Bases[blockIdx.x * Parts + P] + I - Begin[P]] = Ordered[I];
  }
}

int main() {
  const unsigned *Keys = input<unsigned>(Count, 0xffffffff);
  const std::vector<unsigned> Known = onHost(Keys, Count);
  std::vector<int> Sizes(Count / Tile * Parts), Begins(Sizes.size());
  for (int I = 0; I < Count; ++I)
    ++Sizes[I / Tile * Parts + partOf(Known[I])];
  int Sum = 0;
  for (int P = 0; P < Parts; ++P)
    for (int T = 0; T < Count / Tile; ++T) {
      Begins[T * Parts + P] = Sum;
      Sum += Sizes[T * Parts + P];
    }
  const int *Bases = onDevice(Begins);
  unsigned *Expected = output<unsigned>(Count), *Out = output<unsigned>(Count);
  Pair P("radix-partition-staged");
  P.same(Expected, Out, Count);
  while (P.next())
    if (P.beforesTurn())
      before<<<Count / Tile, Warps * 32>>>(Keys, Bases, Expected);
    else
      after<<<Count / Tile, Warps * 32>>>(Keys, Bases, Out);
}

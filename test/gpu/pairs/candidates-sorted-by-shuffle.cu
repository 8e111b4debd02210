// Rule: cuda-memory-needless-staging
// Vector search: each list of 32 candidates is sorted by distance, a warp a
// list, by a bitonic network. Partners meet in shared memory, or by shuffles
// without it, as selection in Faiss does (Johnson, Douze, Jegou: Billion-scale
// similarity search with GPUs).
#include "Pair.cuh"

constexpr int Lists = 1 << 18, Block = 256;

__device__ unsigned keyOf(float Distance, int Lane) {
  return unsigned(Distance * 0x7fffff) << 5 | Lane;
}

__global__ void before(const float *__restrict__ Distances,
                       const int *__restrict__ Names, int *__restrict__ Out) {
  __shared__ unsigned Keys[Block];
  const int Lane = threadIdx.x % 32, I = blockIdx.x * Block + threadIdx.x;
  unsigned *List = Keys + threadIdx.x - Lane;
  List[Lane] = keyOf(Distances[I], Lane);
  __syncwarp();
  for (int Size = 2; Size <= 32; Size *= 2)
    for (int Stride = Size / 2; Stride > 0; Stride /= 2) {
      const unsigned Mine = List[Lane], Other = List[Lane ^ Stride];
      const bool Up = (Lane & Size) == 0, First = (Lane & Stride) == 0;
      __syncwarp();
      List[Lane] = Up == First ? min(Mine, Other) : max(Mine, Other);
      __syncwarp();
    }
  Out[I] = Names[I - Lane + (List[Lane] & 31)];
}

__global__ void after(const float *__restrict__ Distances,
                      const int *__restrict__ Names, int *__restrict__ Out) {
  const int Lane = threadIdx.x % 32, I = blockIdx.x * Block + threadIdx.x;
  unsigned Key = keyOf(Distances[I], Lane);
  for (int Size = 2; Size <= 32; Size *= 2)
    for (int Stride = Size / 2; Stride > 0; Stride /= 2) {
      const unsigned Other = __shfl_xor_sync(~0u, Key, Stride);
      const bool Up = (Lane & Size) == 0, First = (Lane & Stride) == 0;
      Key = Up == First ? min(Key, Other) : max(Key, Other);
    }
  Out[I] = Names[I - Lane + (Key & 31)];
}

int main() {
  constexpr int N = Lists * 32;
  const float *Distances = input<float>(N);
  const int *Names = input<int>(N, 1 << 30);
  int *Expected = output<int>(N), *Out = output<int>(N);
  Pair P("candidates-sorted-by-shuffle");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<Lists * 32 / Block, Block>>>(Distances, Names, Expected);
    else
      after<<<Lists * 32 / Block, Block>>>(Distances, Names, Out);
}

// Rule: cuda-memory-missing-reuse
// Which of 10000 detected boxes overlap by more than half, as bits for the
// suppression of doubles: each thread compares its box with 64 others, read
// from global memory (the same for all) or from shared memory.
#include "Pair.cuh"

constexpr int Boxes = 10000, Tile = 64, Words = (Boxes + Tile - 1) / Tile;
using Mask = unsigned long long;

__device__ bool overlap(float4 A, float4 B) {
  const float W = fmaxf(fminf(A.z, B.z) - fmaxf(A.x, B.x), 0),
              H = fmaxf(fminf(A.w, B.w) - fmaxf(A.y, B.y), 0);
  const float Common = W * H;
  const float Both = (A.z - A.x) * (A.w - A.y) + (B.z - B.x) * (B.w - B.y);
  return Common / (Both - Common) > 0.5f;
}

__global__ void before(const float4 *__restrict__ Box,
                       Mask *__restrict__ Overlaps) {
  const int I = blockIdx.y * Tile + threadIdx.x, First = blockIdx.x * Tile;
  if (blockIdx.x < blockIdx.y || I >= Boxes)
    return;
  const int Here = min(Tile, Boxes - First);
  const float4 Own = Box[I];
  Mask Bits = 0;
  for (int J = 0; J < Here; ++J)
    if (First + J > I && overlap(Own, Box[First + J]))
      Bits |= Mask(1) << J;
  Overlaps[I * Words + blockIdx.x] = Bits;
}

__global__ void after(const float4 *__restrict__ Box,
                      Mask *__restrict__ Overlaps) {
  __shared__ float4 Others[Tile];
  const int I = blockIdx.y * Tile + threadIdx.x, First = blockIdx.x * Tile;
  if (blockIdx.x < blockIdx.y)
    return;
  const int Here = min(Tile, Boxes - First);
  if (threadIdx.x < Here)
    Others[threadIdx.x] = Box[First + threadIdx.x];
  __syncthreads();
  if (I >= Boxes)
    return;
  const float4 Own = Box[I];
  Mask Bits = 0;
  for (int J = 0; J < Here; ++J)
    if (First + J > I && overlap(Own, Others[J]))
      Bits |= Mask(1) << J;
  Overlaps[I * Words + blockIdx.x] = Bits;
}

int main() {
  std::vector<float4> Found;
  for (int I = 0; I < Boxes; ++I) {
    const float X = mixed(4 * I) % 1200, Y = mixed(4 * I + 1) % 700;
    Found.push_back({X, Y, X + 20 + mixed(4 * I + 2) % 130,
                     Y + 20 + mixed(4 * I + 3) % 80});
  }
  const float4 *Box = onDevice(Found);
  Mask *Expected = output<Mask>(Boxes * Words),
       *Out = output<Mask>(Boxes * Words);
  Pair P("box-overlaps-staged");
  P.same(Expected, Out, Boxes * Words);
  const dim3 Grid(Words, Words);
  while (P.next())
    if (P.beforesTurn())
      before<<<Grid, Tile>>>(Box, Expected);
    else
      after<<<Grid, Tile>>>(Box, Out);
}

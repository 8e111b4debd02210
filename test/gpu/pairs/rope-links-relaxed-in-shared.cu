// Rule: cuda-memory-block-scratch
// Ropes of 64 nodes in a game, a warp for each: 16 rounds in which every second
// link, then the others, pull their ends to the right distance. The nodes move
// in global memory, or in shared memory until the last round is done.
#include "Pair.cuh"

constexpr int Ropes = 1 << 13, Nodes = 64, PerBlock = 4, Rounds = 16;

__device__ void pull(float2 &A, float2 &B) {
  const float X = B.x - A.x, Y = B.y - A.y;
  const float Part = 0.5f * (1 - 0.04f * rsqrtf(X * X + Y * Y + 1e-6f));
  A = make_float2(A.x + Part * X, A.y + Part * Y);
  B = make_float2(B.x - Part * X, B.y - Part * Y);
}

__device__ void relax(float2 *Rope) {
  for (int R = 0; R < Rounds; ++R)
    for (int Odd = 0; Odd < 2; ++Odd) {
      const int Link = 2 * threadIdx.x + Odd;
      if (Link + 1 < Nodes)
        pull(Rope[Link], Rope[Link + 1]);
      __syncwarp();
    }
}

__global__ void before(const float2 *__restrict__ From,
                       float2 *__restrict__ To) {
  const int First = (blockIdx.x * PerBlock + threadIdx.y) * Nodes;
  float2 *Rope = To + First;
  for (int I = threadIdx.x; I < Nodes; I += 32)
    Rope[I] = From[First + I];
  __syncwarp();
  relax(Rope);
}

__global__ void after(const float2 *__restrict__ From,
                      float2 *__restrict__ To) {
  __shared__ float2 Near[PerBlock][Nodes];
  const int First = (blockIdx.x * PerBlock + threadIdx.y) * Nodes;
  float2 *Rope = Near[threadIdx.y];
  for (int I = threadIdx.x; I < Nodes; I += 32)
    Rope[I] = From[First + I];
  __syncwarp();
  relax(Rope);
  for (int I = threadIdx.x; I < Nodes; I += 32)
    To[First + I] = Rope[I];
}

int main() {
  constexpr int Count = Ropes * Nodes;
  std::vector<float2> Hanging(Count);
  for (int I = 0; I < Count; ++I)
    Hanging[I] = make_float2(0.05f * (I % Nodes) + mixed(I) % 100 * 2e-4f,
                             mixed(I + Count) % 100 * 4e-4f);
  const float2 *From = onDevice(Hanging);
  float *Expected = output<float>(2 * Count), *Out = output<float>(2 * Count);
  Pair P("rope-links-relaxed-in-shared");
  P.same(Expected, Out, 2 * Count);
  const dim3 Block(32, PerBlock);
  while (P.next())
    if (P.beforesTurn())
      before<<<Ropes / PerBlock, Block>>>(From, (float2 *)Expected);
    else
      after<<<Ropes / PerBlock, Block>>>(From, (float2 *)Out);
}

// Rule: cuda-memory-bank-conflict
// The stream function of a flow, the integral of the velocity along each row, a
// lane for each row and tiles of 32x32 turned in shared memory by each warp:
// rows of 32 words, which lie in one bank, or of 33.
#include "Pair.cuh"

constexpr int Rows = 1 << 15, Width = 512, Warps = 4;
constexpr float Half = 0.5f / Width;

__global__ void before(const float *__restrict__ Velocity,
                       float *__restrict__ Stream) {
  __shared__ float Tile[Warps][32][32];
  const int Lane = threadIdx.x, W = threadIdx.y;
  const size_t First = size_t(blockIdx.x * Warps + W) * 32 * Width;
  float Sum = 0, Last = 0;
  for (int X = 0; X < Width; X += 32) {
#pragma unroll
    for (int R = 0; R < 32; ++R)
      Tile[W][R][Lane] = Velocity[First + R * Width + X + Lane];
    __syncwarp();
#pragma unroll
    for (int C = 0; C < 32; ++C) {
      const float V = Tile[W][Lane][C];
      Sum -= Half * (Last + V);
      Last = V;
      Tile[W][Lane][C] = Sum;
    }
    __syncwarp();
#pragma unroll
    for (int R = 0; R < 32; ++R)
      Stream[First + R * Width + X + Lane] = Tile[W][R][Lane];
    __syncwarp();
  }
}

__global__ void after(const float *__restrict__ Velocity,
                      float *__restrict__ Stream) {
  __shared__ float Tile[Warps][32][33];
  const int Lane = threadIdx.x, W = threadIdx.y;
  const size_t First = size_t(blockIdx.x * Warps + W) * 32 * Width;
  float Sum = 0, Last = 0;
  for (int X = 0; X < Width; X += 32) {
#pragma unroll
    for (int R = 0; R < 32; ++R)
      Tile[W][R][Lane] = Velocity[First + R * Width + X + Lane];
    __syncwarp();
#pragma unroll
    for (int C = 0; C < 32; ++C) {
      const float V = Tile[W][Lane][C];
      Sum -= Half * (Last + V);
      Last = V;
      Tile[W][Lane][C] = Sum;
    }
    __syncwarp();
#pragma unroll
    for (int R = 0; R < 32; ++R)
      Stream[First + R * Width + X + Lane] = Tile[W][R][Lane];
    __syncwarp();
  }
}

int main() {
  const float *Velocity = input<float>(size_t(Rows) * Width);
  float *Expected = output<float>(size_t(Rows) * Width),
        *Out = output<float>(size_t(Rows) * Width);
  Pair P("stream-function-tile-padded");
  P.same(Expected, Out, size_t(Rows) * Width);
  const dim3 Block(32, Warps);
  while (P.next())
    if (P.beforesTurn())
      before<<<Rows / 32 / Warps, Block>>>(Velocity, Expected);
    else
      after<<<Rows / 32 / Warps, Block>>>(Velocity, Out);
}

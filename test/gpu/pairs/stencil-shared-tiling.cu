// Rule: cuda-memory-missing-reuse
// Five points: L1 serves what a tile in shared memory would, for less.
#include "Pair.cuh"

constexpr int N = 4096, Pitch = N + 2;

__global__ void before(const float *In, float *Out) {
  const int X = blockIdx.x * 32 + threadIdx.x + 1;
  const int Y = blockIdx.y * 8 + threadIdx.y + 1;
  Out[Y * Pitch + X] = 0.2f * (In[Y * Pitch + X] + In[Y * Pitch + X - 1] +
                               In[Y * Pitch + X + 1] + In[(Y - 1) * Pitch + X] +
                               In[(Y + 1) * Pitch + X]);
}

__global__ void after(const float *In, float *Out) {
  __shared__ float Tile[10][34];
  const int TX = threadIdx.x, TY = threadIdx.y;
  const int X0 = blockIdx.x * 32, Y0 = blockIdx.y * 8;
  for (int I = TY * 32 + TX; I < 340; I += 256)
    Tile[I / 34][I % 34] = In[(Y0 + I / 34) * Pitch + X0 + I % 34];
  __syncthreads();
  Out[(Y0 + TY + 1) * Pitch + X0 + TX + 1] =
      0.2f * (Tile[TY + 1][TX + 1] + Tile[TY + 1][TX] + Tile[TY + 1][TX + 2] +
              Tile[TY][TX + 1] + Tile[TY + 2][TX + 1]);
}

int main() {
  const float *In = input<float>(Pitch * Pitch);
  float *Expected = output<float>(Pitch * Pitch),
        *Out = output<float>(Pitch * Pitch);
  Pair P("stencil-shared-tiling");
  P.same(Expected, Out, Pitch * Pitch);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(N / 32, N / 8), dim3(32, 8)>>>(In, Expected);
    else
      after<<<dim3(N / 32, N / 8), dim3(32, 8)>>>(In, Out);
}

// Rule: cuda-memory-uncoalesced-access
// The next level of an image pyramid: every second element is read, the others
// right after. By way of shared memory all requests are of neighbours, but L1
// had them anyway.
#include "Pair.cuh"

constexpr int N = 1536, Pitch = 2 * N;

__global__ void before(const float *In, float *Out) {
  const int X = blockIdx.x * 32 + threadIdx.x, Y = blockIdx.y * 8 + threadIdx.y;
  const float *Upper = In + 2 * Y * Pitch, *Lower = Upper + Pitch;
  Out[Y * N + X] = 0.25f * (Upper[2 * X] + Upper[2 * X + 1] + Lower[2 * X] +
                            Lower[2 * X + 1]);
}

__global__ void after(const float *In, float *Out) {
  __shared__ float Tile[16][64];
  const int TX = threadIdx.x, TY = threadIdx.y;
  const int X = blockIdx.x * 32 + TX, Y = blockIdx.y * 8 + TY;
  for (int I = TY; I < 16; I += 8)
    for (int J = TX; J < 64; J += 32)
      Tile[I][J] = In[(blockIdx.y * 16 + I) * Pitch + blockIdx.x * 64 + J];
  __syncthreads();
  Out[Y * N + X] =
      0.25f * (Tile[2 * TY][2 * TX] + Tile[2 * TY][2 * TX + 1] +
               Tile[2 * TY + 1][2 * TX] + Tile[2 * TY + 1][2 * TX + 1]);
}

int main() {
  const float *In = input<float>(Pitch * Pitch);
  float *Expected = output<float>(N * N), *Out = output<float>(N * N);
  Pair P("pyramid-level");
  P.same(Expected, Out, N * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(N / 32, N / 8), dim3(32, 8)>>>(In, Expected);
    else
      after<<<dim3(N / 32, N / 8), dim3(32, 8)>>>(In, Out);
}

// Rule: cuda-memory-missing-reuse
// How well does each block of 16 x 16 pixels fit at 256 places of the last
// frame? A block of threads reads 31 x 31 bytes again and again: through L1, or
// from shared memory.
#include "Pair.cuh"

constexpr int Wide = 1024, High = 512, Edge = 8, Pitch = Wide + 2 * Edge;
constexpr int BlocksWide = Wide / 16, BlocksHigh = High / 16;

__global__ void before(const unsigned char *Frame, const unsigned char *Last,
                       int *Differences) {
  const int T = threadIdx.x, X = T % 16, Y = T / 16;
  const int Left = blockIdx.x * 16, Top = blockIdx.y * 16;
  int Sum = 0;
  for (int V = 0; V < 16; ++V)
    for (int U = 0; U < 16; ++U)
      Sum += abs(Frame[(Top + V) * Wide + Left + U] -
                 Last[(Top + V + Y) * Pitch + Left + U + X]);
  Differences[(blockIdx.y * BlocksWide + blockIdx.x) * 256 + T] = Sum;
}

__global__ void after(const unsigned char *Frame, const unsigned char *Last,
                      int *Differences) {
  __shared__ unsigned char Mine[16][16], Window[31][32];
  const int T = threadIdx.x, X = T % 16, Y = T / 16;
  const int Left = blockIdx.x * 16, Top = blockIdx.y * 16;
  Mine[Y][X] = Frame[(Top + Y) * Wide + Left + X];
  for (int I = T; I < 31 * 32; I += 256)
    Window[I / 32][I % 32] = Last[(Top + I / 32) * Pitch + Left + I % 32];
  __syncthreads();
  int Sum = 0;
  for (int V = 0; V < 16; ++V)
    for (int U = 0; U < 16; ++U)
      Sum += abs(Mine[V][U] - Window[V + Y][U + X]);
  Differences[(blockIdx.y * BlocksWide + blockIdx.x) * 256 + T] = Sum;
}

int main() {
  constexpr int All = BlocksWide * BlocksHigh * 256;
  const unsigned char *Frame = input<unsigned char>(Wide * High, 256),
                      *Last = input<unsigned char>(
                          Pitch * (High + 2 * Edge) + 32, 256);
  int *Expected = output<int>(All), *Out = output<int>(All);
  Pair P("motion-search-window");
  P.same(Expected, Out, All);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(BlocksWide, BlocksHigh), 256>>>(Frame, Last, Expected);
    else
      after<<<dim3(BlocksWide, BlocksHigh), 256>>>(Frame, Last, Out);
}

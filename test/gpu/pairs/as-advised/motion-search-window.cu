// Rule: cuda-memory-uncoalesced-access
// How well does each block of 16 x 16 pixels fit at 256 places of the last
// frame? As advised, threadIdx.x runs along a row of that frame: a warp takes
// the 16 places of a row of each of two neighbouring blocks, thus 32 bytes.
#include "../Pair.cuh"

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
  const int X = threadIdx.x % 16, Y = threadIdx.y;
  const int Block = blockIdx.x * 2 + threadIdx.x / 16;
  const int Left = Block * 16, Top = blockIdx.y * 16;
  int Sum = 0;
  for (int V = 0; V < 16; ++V)
    for (int U = 0; U < 16; ++U)
      Sum += abs(Frame[(Top + V) * Wide + Left + U] -
                 Last[(Top + V + Y) * Pitch + Left + U + X]);
  Differences[(blockIdx.y * BlocksWide + Block) * 256 + Y * 16 + X] = Sum;
}

int main() {
  constexpr int All = BlocksWide * BlocksHigh * 256;
  const unsigned char *Frame = input<unsigned char>(Wide * High, 256),
                      *Last = input<unsigned char>(
                          Pitch * (High + 2 * Edge) + 32, 256);
  int *Expected = output<int>(All), *Out = output<int>(All);
  Pair P("motion-search-window-as-advised");
  P.same(Expected, Out, All);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(BlocksWide, BlocksHigh), 256>>>(Frame, Last, Expected);
    else
      after<<<dim3(BlocksWide / 2, BlocksHigh), dim3(32, 16)>>>(Frame, Last,
                                                                Out);
}

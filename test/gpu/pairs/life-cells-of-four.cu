// Rule: cuda-memory-narrow-access
// A generation of Conway's Life, a byte a cell: a thread reads nine bytes for
// one cell, or nine words for four cells and adds bytes within words.
#include "Pair.cuh"

constexpr int Side = 4096, Edge = 16, Pitch = Side + 2 * Edge;

__global__ void before(const unsigned char *Old, unsigned char *New) {
  const int X = blockIdx.x * 128 + threadIdx.x, Y = blockIdx.y;
  const unsigned char *At = Old + (Y + 1) * Pitch + Edge + X;
  int Alive = 0;
  for (int V = -1; V <= 1; ++V)
    for (int U = -1; U <= 1; ++U)
      if (U || V)
        Alive += At[V * Pitch + U];
  New[Y * Side + X] = Alive == 3 || (Alive == 2 && At[0]);
}

__global__ void after(const unsigned *Old, unsigned *New) {
  const int X = blockIdx.x * 128 + threadIdx.x, Y = blockIdx.y;
  const unsigned *At = Old + ((Y + 1) * Pitch + Edge) / 4 + X;
  unsigned Alive = 0, Here = 0;
  for (int V = -1; V <= 1; ++V) {
    const unsigned Left = At[V * Pitch / 4 - 1], Own = At[V * Pitch / 4],
                   Right = At[V * Pitch / 4 + 1];
    Alive += __byte_perm(Left, Own, 0x6543) + __byte_perm(Own, Right, 0x4321);
    if (V)
      Alive += Own;
    else
      Here = Own;
  }
  New[Y * Side / 4 + X] =
      (__vcmpeq4(Alive, 0x03030303) |
       (__vcmpeq4(Alive, 0x02020202) & __vcmpeq4(Here, 0x01010101))) &
      0x01010101;
}

int main() {
  const unsigned char *Old = input<unsigned char>((Side + 2) * Pitch, 2);
  unsigned char *Expected = output<unsigned char>(Side * Side),
                *Out = output<unsigned char>(Side * Side);
  Pair P("life-cells-of-four");
  P.same(Expected, Out, Side * Side);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Side / 128, Side), 128>>>(Old, Expected);
    else
      after<<<dim3(Side / 512, Side), 128>>>((const unsigned *)Old,
                                             (unsigned *)Out);
}

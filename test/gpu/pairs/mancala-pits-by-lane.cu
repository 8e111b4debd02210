// Rule: cuda-memory-bank-conflict
// Random games of mancala, one a thread, the board of fourteen pits in shared
// memory: the pits of a game lie side by side, or a pit of all games does, so
// that a lane keeps to its own bank.
#include "Pair.cuh"

constexpr int Games = 1 << 18, Threads = 128, Pits = 14, MaxMoves = 60;

/// Seeds that the first player is ahead by; \p Stride is between two pits.
template <int Stride> __device__ int playOut(int *Board, unsigned Random) {
  for (int P = 0; P < Pits; ++P)
    Board[P * Stride] = P % 7 == 6 ? 0 : 4;
  int Player = 0;
  for (int Move = 0; Move < MaxMoves; ++Move) {
    Random = Random * 1664525 + 1013904223;
    int Choice = (Random >> 16) % 6, Tries = 0;
    while (Tries < 6 && Board[(Player * 7 + Choice) * Stride] == 0) {
      Choice = Choice == 5 ? 0 : Choice + 1;
      ++Tries;
    }
    if (Tries == 6)
      break;
    int P = Player * 7 + Choice;
    int Seeds = Board[P * Stride];
    Board[P * Stride] = 0;
    while (Seeds > 0) {
      P = P == Pits - 1 ? 0 : P + 1;
      if (P == (1 - Player) * 7 + 6)
        continue;
      ++Board[P * Stride];
      --Seeds;
    }
    // Who ends in the own store moves again.
    if (P != Player * 7 + 6)
      Player = 1 - Player;
  }
  return Board[6 * Stride] - Board[13 * Stride];
}

__global__ void before(const unsigned *Seed, int *Lead) {
  __shared__ int Board[Threads][Pits];
  const int I = blockIdx.x * Threads + threadIdx.x;
  Lead[I] = playOut<1>(Board[threadIdx.x], Seed[I]);
}

__global__ void after(const unsigned *Seed, int *Lead) {
  __shared__ int Board[Pits][Threads];
  const int I = blockIdx.x * Threads + threadIdx.x;
  Lead[I] = playOut<Threads>(&Board[0][threadIdx.x], Seed[I]);
}

int main() {
  const unsigned *Seed = input<unsigned>(Games, 0xffffffff);
  int *Expected = output<int>(Games), *Out = output<int>(Games);
  Pair P("mancala-pits-by-lane");
  P.same(Expected, Out, Games);
  while (P.next())
    if (P.beforesTurn())
      before<<<Games / Threads, Threads>>>(Seed, Expected);
    else
      after<<<Games / Threads, Threads>>>(Seed, Out);
}

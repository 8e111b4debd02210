// Rule: cuda-memory-local-array
// The category of hands of seven cards, as a Monte Carlo of poker counts them.
// Counters of ranks and suits are indexed by the card, so that the arrays lie
// in local memory, or are packed in two words and shifted. CUDA best practices
// guide: local memory, arrays with indices not known at compile time.
#include "Pair.cuh"

constexpr int Hands = 1 << 21, Cards = 7, Block = 256;

__device__ int category(unsigned Ranks, int Pairs, int Threes, int Fours,
                        bool Flush) {
  const unsigned WithAce = Ranks << 1 | Ranks >> 12;
  const bool Straight =
      WithAce & WithAce >> 1 & WithAce >> 2 & WithAce >> 3 & WithAce >> 4;
  if (Straight && Flush)
    return 8;
  if (Fours)
    return 7;
  if (Threes > 1 || (Threes && Pairs))
    return 6;
  if (Flush)
    return 5;
  if (Straight)
    return 4;
  return Threes ? 3 : min(Pairs, 2);
}

__global__ void before(const unsigned long long *__restrict__ Dealt,
                       unsigned char *__restrict__ Category) {
  const int I = blockIdx.x * Block + threadIdx.x;
  const unsigned long long Hand = Dealt[I];
  int Ranks[13] = {}, Suits[4] = {};
  for (int C = 0; C < Cards; ++C) {
    const int Card = Hand >> 6 * C & 63;
    ++Ranks[Card / 4];
    ++Suits[Card % 4];
  }
  unsigned Present = 0;
  int Pairs = 0, Threes = 0, Fours = 0;
  for (int R = 0; R < 13; ++R) {
    Present |= unsigned(Ranks[R] > 0) << R;
    Pairs += Ranks[R] == 2;
    Threes += Ranks[R] == 3;
    Fours += Ranks[R] == 4;
  }
  bool Flush = false;
  for (int S = 0; S < 4; ++S)
    Flush |= Suits[S] >= 5;
  Category[I] = category(Present, Pairs, Threes, Fours, Flush);
}

__global__ void after(const unsigned long long *__restrict__ Dealt,
                      unsigned char *__restrict__ Category) {
  const int I = blockIdx.x * Block + threadIdx.x;
  const unsigned long long Hand = Dealt[I];
  unsigned long long Ranks = 0;
  unsigned Suits = 0;
  for (int C = 0; C < Cards; ++C) {
    const int Card = Hand >> 6 * C & 63;
    Ranks += 1ull << Card / 4 * 4;
    Suits += 1u << Card % 4 * 8;
  }
  unsigned Present = 0;
  int Pairs = 0, Threes = 0, Fours = 0;
  for (int R = 0; R < 13; ++R) {
    const int Count = Ranks >> 4 * R & 15;
    Present |= unsigned(Count > 0) << R;
    Pairs += Count == 2;
    Threes += Count == 3;
    Fours += Count == 4;
  }
  bool Flush = false;
  for (int S = 0; S < 4; ++S)
    Flush |= (Suits >> 8 * S & 255) >= 5;
  Category[I] = category(Present, Pairs, Threes, Fours, Flush);
}

int main() {
  std::vector<unsigned long long> Host(Hands);
  for (size_t H = 0; H < Hands; ++H) {
    unsigned long long Used = 0, Draw = 0;
    for (int C = 0; C < Cards; ++C) {
      unsigned Card = mixed(H * 1024 + Draw++) % 52;
      while (Used >> Card & 1)
        Card = mixed(H * 1024 + Draw++) % 52;
      Used |= 1ull << Card;
      Host[H] |= static_cast<unsigned long long>(Card) << 6 * C;
    }
  }
  const unsigned long long *Dealt = onDevice(Host);
  unsigned char *Expected = output<unsigned char>(Hands),
                *Out = output<unsigned char>(Hands);
  Pair P("poker-hands-counts-packed");
  P.same(Expected, Out, Hands);
  while (P.next())
    if (P.beforesTurn())
      before<<<Hands / Block, Block>>>(Dealt, Expected);
    else
      after<<<Hands / Block, Block>>>(Dealt, Out);
}

// Rule: cuda-memory-local-array
// A unigram tokenizer splits words of at most sixteen letters into the pieces
// that are likeliest together; scores of pieces are in a hash table. The best
// score up to each letter is in an array indexed by the letter's place, or in a
// window of seven scalars that moves along with the letters.
// Options: --buffer=Text=random,count=8388608,below=26
// Options: --buffer=Length=random,count=524288,below=13
#include "Pair.cuh"

constexpr int Words = 1 << 19, MostLetters = 16, MostPieces = 6;
constexpr uint32_t TableSize = 1 << 18;

struct Path {
  float Score;
  int Pieces;

  __device__ void improve(const Path &From, float PieceScore) {
    const float New = From.Score + PieceScore;
    if (New <= Score)
      return;
    Score = New;
    Pieces = From.Pieces + 1;
  }
};

__device__ uint32_t extended(uint32_t Hash, unsigned char Letter) {
  return (Hash ^ Letter) * 16777619u;
}

__device__ uint32_t slot(uint32_t Hash) {
  return (Hash ^ Hash >> 15) % TableSize;
}

__global__ void before(const unsigned char *__restrict__ Text,
                       const unsigned char *__restrict__ Length,
                       const float *__restrict__ Table,
                       float *__restrict__ Score, int *__restrict__ Pieces) {
  const int Word = blockIdx.x * blockDim.x + threadIdx.x;
  const int Letters = 4 + Length[Word];
  const unsigned char *Letter = Text + Word * MostLetters;
  Path Best[MostLetters + 1];
  Best[0] = {0, 0};
  for (int I = 1; I <= Letters; ++I)
    Best[I] = {-1e30f, 0};
  for (int Start = 0; Start < Letters; ++Start) {
    const Path From = Best[Start];
    uint32_t Hash = 2166136261u;
#pragma unroll
    for (int L = 1; L <= MostPieces; ++L)
      if (Start + L <= Letters) {
        Hash = extended(Hash, Letter[Start + L - 1]);
        Best[Start + L].improve(From, Table[slot(Hash)] - 1.5f);
      }
  }
  Score[Word] = Best[Letters].Score;
  Pieces[Word] = Best[Letters].Pieces;
}

__global__ void after(const unsigned char *__restrict__ Text,
                      const unsigned char *__restrict__ Length,
                      const float *__restrict__ Table,
                      float *__restrict__ Score, int *__restrict__ Pieces) {
  const int Word = blockIdx.x * blockDim.x + threadIdx.x;
  const int Letters = 4 + Length[Word];
  const unsigned char *Letter = Text + Word * MostLetters;
  Path Best[MostPieces + 1];
  Best[0] = {0, 0};
#pragma unroll
  for (int L = 1; L <= MostPieces; ++L)
    Best[L] = {-1e30f, 0};
  for (int Start = 0; Start < Letters; ++Start) {
    uint32_t Hash = 2166136261u;
#pragma unroll
    for (int L = 1; L <= MostPieces; ++L)
      if (Start + L <= Letters) {
        Hash = extended(Hash, Letter[Start + L - 1]);
        Best[L].improve(Best[0], Table[slot(Hash)] - 1.5f);
      }
#pragma unroll
    for (int L = 0; L < MostPieces; ++L)
      Best[L] = Best[L + 1];
    Best[MostPieces] = {-1e30f, 0};
  }
  Score[Word] = Best[0].Score;
  Pieces[Word] = Best[0].Pieces;
}

int main() {
  const unsigned char *Text = input<unsigned char>(Words * MostLetters, 26),
                      *Length = input<unsigned char>(Words, MostLetters - 3);
  const float *Table = input<float>(TableSize);
  float *Expected = output<float>(Words), *Out = output<float>(Words);
  int *PiecesA = output<int>(Words), *PiecesB = output<int>(Words);
  Pair P("unigram-lattice-window-in-registers");
  P.same(Expected, Out, Words);
  P.same(PiecesA, PiecesB, Words);
  while (P.next())
    if (P.beforesTurn())
      before<<<Words / 128, 128>>>(Text, Length, Table, Expected, PiecesA);
    else
      after<<<Words / 128, 128>>>(Text, Length, Table, Out, PiecesB);
}

// Rule: cuda-memory-uncoalesced-access
// Decompression: pieces of 8 to 71 bytes are copied from a dictionary of 1 MB
// to their places in the text. A thread copies a piece byte by byte; the remedy
// gives each piece to a warp, whose lanes take bytes that lie side by side.
#include "Pair.cuh"

constexpr int Pieces = 400000, DictionarySize = 1 << 20, Block = 128;

__global__ void before(const unsigned char *__restrict__ Dictionary,
                       const int *__restrict__ From,
                       const int *__restrict__ Start,
                       unsigned char *__restrict__ Text) {
  const int Piece = blockIdx.x * Block + threadIdx.x;
  if (Piece >= Pieces)
    return;
  const int Begin = Start[Piece], Length = Start[Piece + 1] - Begin;
  const unsigned char *Source = Dictionary + From[Piece];
  for (int I = 0; I < Length; ++I)
    Text[Begin + I] = Source[I];
}

__global__ void after(const unsigned char *__restrict__ Dictionary,
                      const int *__restrict__ From,
                      const int *__restrict__ Start,
                      unsigned char *__restrict__ Text) {
  const int Piece = (blockIdx.x * Block + threadIdx.x) / 32;
  if (Piece >= Pieces)
    return;
  const int Begin = Start[Piece], Length = Start[Piece + 1] - Begin;
  const unsigned char *Source = Dictionary + From[Piece];
  for (int I = threadIdx.x % 32; I < Length; I += 32)
    Text[Begin + I] = Source[I];
}

int main() {
  std::vector<int> Offsets(Pieces), Starts(Pieces + 1);
  for (int I = 0; I < Pieces; ++I) {
    Offsets[I] = mixed(2 * I) % (DictionarySize - 71);
    Starts[I + 1] = Starts[I] + 8 + mixed(2 * I + 1) % 64;
  }
  const int N = Starts[Pieces];
  const unsigned char *Dictionary = input<unsigned char>(DictionarySize, 256);
  const int *From = onDevice(Offsets), *Start = onDevice(Starts);
  unsigned char *Expected = output<unsigned char>(N),
                *Out = output<unsigned char>(N);
  Pair P("dictionary-matches-copied-by-warp");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<(Pieces + Block - 1) / Block, Block>>>(Dictionary, From, Start,
                                                      Expected);
    else
      after<<<(Pieces * 32 + Block - 1) / Block, Block>>>(Dictionary, From,
                                                          Start, Out);
}

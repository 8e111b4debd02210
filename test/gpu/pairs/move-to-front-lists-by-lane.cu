// Rule: cuda-memory-bank-conflict
// Move-to-front coding of 65536 streams over 32 symbols, a thread for each: the
// threads' lists follow one another in shared memory, whose banks then
// conflict, or the entries of the same rank lie side by side.
#include "Pair.cuh"

constexpr int Streams = 1 << 16, Length = 40, Symbols = 32, Threads = 128;

__global__ void before(const unsigned char *__restrict__ In,
                       unsigned char *__restrict__ Out) {
  __shared__ unsigned char Lists[Threads][Symbols];
  const int Stream = blockIdx.x * Threads + threadIdx.x;
  unsigned char *List = Lists[threadIdx.x];
  for (int R = 0; R < Symbols; ++R)
    List[R] = R;
  for (int I = 0; I < Length; ++I) {
    const unsigned char Symbol = In[I * Streams + Stream];
    unsigned char Moved = Symbol;
    int Rank = 0;
    while (true) {
      const unsigned char Old = List[Rank];
      List[Rank] = Moved;
      if (Old == Symbol)
        break;
      Moved = Old;
      ++Rank;
    }
    Out[I * Streams + Stream] = Rank;
  }
}

__global__ void after(const unsigned char *__restrict__ In,
                      unsigned char *__restrict__ Out) {
  __shared__ unsigned char Lists[Symbols][Threads];
  const int Stream = blockIdx.x * Threads + threadIdx.x;
  const int T = threadIdx.x;
  for (int R = 0; R < Symbols; ++R)
    Lists[R][T] = R;
  for (int I = 0; I < Length; ++I) {
    const unsigned char Symbol = In[I * Streams + Stream];
    unsigned char Moved = Symbol;
    int Rank = 0;
    while (true) {
      const unsigned char Old = Lists[Rank][T];
      Lists[Rank][T] = Moved;
      if (Old == Symbol)
        break;
      Moved = Old;
      ++Rank;
    }
    Out[I * Streams + Stream] = Rank;
  }
}

int main() {
  // Small symbols are the most frequent ones.
  std::vector<unsigned char> Text(Length * Streams);
  for (size_t I = 0; I < Text.size(); ++I)
    Text[I] = std::min(mixed(2 * I) % Symbols, mixed(2 * I + 1) % Symbols);
  const unsigned char *In = onDevice(Text);
  unsigned char *Expected = output<unsigned char>(Text.size()),
                *Out = output<unsigned char>(Text.size());
  Pair P("move-to-front-lists-by-lane");
  P.same(Expected, Out, Text.size());
  while (P.next())
    if (P.beforesTurn())
      before<<<Streams / Threads, Threads>>>(In, Expected);
    else
      after<<<Streams / Threads, Threads>>>(In, Out);
}

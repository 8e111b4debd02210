// Rule: cuda-memory-uncoalesced-access
// Where a pattern first occurs in each string of a column, as LIKE '%head%'
// needs it: a thread or a warp looks through a string.
#include "Pair.cuh"

constexpr int Strings = 1 << 18, Threads = 256, Size = 4;

__constant__ char Pattern[] = "head";

__device__ bool occursAt(const char *Text) {
  for (int K = 0; K < Size; ++K)
    if (Text[K] != Pattern[K])
      return false;
  return true;
}

__global__ void before(const char *__restrict__ Letters,
                       const int *__restrict__ Offsets,
                       int *__restrict__ Found) {
  const int S = blockIdx.x * Threads + threadIdx.x;
  const char *Text = Letters + Offsets[S];
  const int Last = Offsets[S + 1] - Offsets[S] - Size;
  int Place = -1;
  for (int I = 0; I <= Last; ++I)
    if (occursAt(Text + I)) {
      Place = I;
      break;
    }
  Found[S] = Place;
}

__global__ void after(const char *__restrict__ Letters,
                      const int *__restrict__ Offsets,
                      int *__restrict__ Found) {
  const int S = (blockIdx.x * Threads + threadIdx.x) / 32;
  const int Lane = threadIdx.x % 32;
  const char *Text = Letters + Offsets[S];
  const int Last = Offsets[S + 1] - Offsets[S] - Size;
  int Place = -1;
  for (int I = 0; I <= Last; I += 32) {
    const bool Here = I + Lane <= Last && occursAt(Text + I + Lane);
    const unsigned Hits = __ballot_sync(0xffffffff, Here);
    if (Hits) {
      Place = I + __ffs(Hits) - 1;
      break;
    }
  }
  if (Lane == 0)
    Found[S] = Place;
}

int main() {
  std::vector<int> Ends(Strings + 1);
  for (int S = 0; S < Strings; ++S)
    Ends[S + 1] = Ends[S] + 20 + mixed(S) % 160;
  std::vector<char> Text(Ends[Strings]);
  for (size_t I = 0; I < Text.size(); ++I)
    Text[I] = 'a' + mixed(I) % 8;
  const char *Letters = onDevice(Text);
  const int *Offsets = onDevice(Ends);
  int *Expected = output<int>(Strings), *Out = output<int>(Strings);
  Pair P("substring-search-by-warps");
  P.same(Expected, Out, Strings);
  while (P.next())
    if (P.beforesTurn())
      before<<<Strings / Threads, Threads>>>(Letters, Offsets, Expected);
    else
      after<<<Strings / (Threads / 32), Threads>>>(Letters, Offsets, Out);
}

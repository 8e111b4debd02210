// Rule: cuda-memory-local-array
// A round of label propagation on a graph of sixteen weighted neighbours a
// vertex: the votes for each label are gathered in lists in local memory, or
// each of sixteen labels in registers is compared with all of them.
// Options: --buffer=Neighbour=random,count=16777216,below=1048576
// Options: --buffer=Label=random,count=1048576,below=40
#include "Pair.cuh"

constexpr int N = 1 << 20, Degree = 16;

__global__ void before(const int *__restrict__ Neighbour,
                       const unsigned char *__restrict__ Weight,
                       const int *__restrict__ Label, int *__restrict__ New) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  int Seen[Degree], Votes[Degree];
  int Count = 0;
  for (int E = 0; E < Degree; ++E) {
    const int Theirs = Label[Neighbour[E * N + I]];
    const int Vote = 1 + Weight[E * N + I];
    int At = 0;
    while (At < Count && Seen[At] != Theirs)
      ++At;
    if (At < Count) {
      Votes[At] += Vote;
    } else {
      Seen[Count] = Theirs;
      Votes[Count] = Vote;
      ++Count;
    }
  }
  int Best = Label[I], Most = 60;
  for (int At = 0; At < Count; ++At)
    if (Votes[At] > Most || (Votes[At] == Most && Seen[At] < Best)) {
      Most = Votes[At];
      Best = Seen[At];
    }
  New[I] = Best + 1;
}

__global__ void after(const int *__restrict__ Neighbour,
                      const unsigned char *__restrict__ Weight,
                      const int *__restrict__ Label, int *__restrict__ New) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  int Theirs[Degree], Vote[Degree];
#pragma unroll
  for (int E = 0; E < Degree; ++E) {
    Theirs[E] = Label[Neighbour[E * N + I]];
    Vote[E] = 1 + Weight[E * N + I];
  }
  int Best = Label[I], Most = 60;
#pragma unroll
  for (int E = 0; E < Degree; ++E) {
    int Votes = 0;
#pragma unroll
    for (int F = 0; F < Degree; ++F)
      Votes += Theirs[F] == Theirs[E] ? Vote[F] : 0;
    if (Votes > Most || (Votes == Most && Theirs[E] < Best)) {
      Most = Votes;
      Best = Theirs[E];
    }
  }
  New[I] = Best + 1;
}

int main() {
  const int *Neighbour = input<int>(N * Degree, N), *Label = input<int>(N, 40);
  const unsigned char *Weight = input<unsigned char>(N * Degree, 50);
  int *Expected = output<int>(N), *Out = output<int>(N);
  Pair P("labels-voted-in-registers");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 128, 128>>>(Neighbour, Weight, Label, Expected);
    else
      after<<<N / 128, 128>>>(Neighbour, Weight, Label, Out);
}

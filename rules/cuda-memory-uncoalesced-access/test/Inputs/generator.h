// A library: programs hand its functions pointers to its records.
#pragma once

struct Generator {
  unsigned Seed, State[5];
  int HasExtra;
  float Extra;
  double ExtraDouble;
};

__device__ inline void seed(unsigned From, Generator *G) {
  G->Seed = From;
  for (int K = 0; K < 5; ++K)
    G->State[K] = From ^ (123456789u * (K + 1));
  G->HasExtra = 0;
  G->ExtraDouble = 0;
}

struct Pair {
  float First, Second;
};

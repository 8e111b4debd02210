// Rule: cuda-memory-bank-conflict
// The index is permuted, so that no groups of a butterfly's lanes meet in a bank,
// for each element by itself: that takes longer than the conflicts.
#include "WalshButterfly.cuh"

struct Permuted {
  static constexpr int Size = walsh::N;
  __device__ static int at(int First, int More) {
    return walsh::permuted(First + More);
  }
};

int main() { walsh::compare<Permuted>("walsh-butterfly-permuted"); }

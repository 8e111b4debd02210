// Rule: cuda-memory-bank-conflict
// The index is permuted, so that no groups of a butterfly's lanes meet in a bank,
// once for each thread: the permutation is linear in bits, and those of the
// stride are free in the first of a thread's elements.
#include "WalshButterfly.cuh"

struct PermutedOnce {
  static constexpr int Size = walsh::N;
  __device__ static int at(int First, int More) {
    return walsh::permuted(First) ^ walsh::permuted(More);
  }
};

int main() { walsh::compare<PermutedOnce>("walsh-butterfly-permuted-once"); }

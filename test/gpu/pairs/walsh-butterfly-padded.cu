// Rule: cuda-memory-bank-conflict
// One element is left free after each row of banks: that moves each group of a
// butterfly's lanes by one bank, and most of them still meet.
#include "WalshButterfly.cuh"

struct Padded {
  static constexpr int Size = walsh::N + walsh::N / 32;
  __device__ static int at(int First, int More) {
    return First + More + ((First + More) >> 5);
  }
};

int main() { walsh::compare<Padded>("walsh-butterfly-padded"); }

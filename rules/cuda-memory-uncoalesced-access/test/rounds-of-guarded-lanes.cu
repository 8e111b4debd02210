// Eight rounds that are written out use all of their sectors together, also where
// nobody knows whether the last block is full, and the kernel goes on with what
// they bring in private memory. What is said is that the stores are apart.
//
// RUN: %checkpriced --min-gain=0 --checks='-*,cuda-memory-uncoalesced-access' \
// RUN:   --profile=nvidia-h200 %s -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning: --implicit-check-not='together take'

__global__ void hash(unsigned Count, unsigned long long *Hashes) {
  const unsigned Thread = blockDim.x * blockIdx.x + threadIdx.x;
  if (Thread >= Count)
    return;
  unsigned long long *Mine = &Hashes[Thread * 8];
  union {
    unsigned Words[16];
    unsigned long long Pairs[8];
  } State;
#pragma unroll
  for (int I = 0; I < 8; ++I)
    State.Pairs[I] = Mine[I];
  unsigned Sum = 1;
#pragma unroll
  for (int Round = 0; Round < 64; ++Round)
#pragma unroll
    for (int I = 0; I < 16; ++I) {
      Sum = Sum * 77 + State.Words[I];
      State.Words[I] ^= Sum;
    }
  // CHECK: [[@LINE+1]]:11: warning: global store is uncoalesced: likely 32 sectors per request (ideal 8)
  Mine[0] = State.Pairs[0];
  Mine[1] = State.Pairs[1];
  Mine[2] = State.Pairs[2];
  Mine[3] = State.Pairs[3] + Sum;
}

void launch(unsigned Count, unsigned long long *Hashes) {
  hash<<<(Count + 255) / 256, 256>>>(Count, Hashes);
}

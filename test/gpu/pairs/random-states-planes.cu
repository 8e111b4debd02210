// Rule: cuda-memory-uncoalesced-access
// Generators of random numbers, one a thread, are read, stepped four times and
// put back: six words behind each other, or each word of all together.
#include "Pair.cuh"

constexpr int N = 1 << 20;

struct State {
  unsigned Word[5], Weyl;
};

__device__ unsigned drawn(State &S) {
  unsigned T = S.Word[0] ^ S.Word[0] >> 2;
  for (int I = 0; I < 4; ++I)
    S.Word[I] = S.Word[I + 1];
  S.Word[4] = S.Word[4] ^ S.Word[4] << 4 ^ T ^ T << 1;
  S.Weyl += 362437;
  return S.Word[4] + S.Weyl;
}

__device__ float sumOfFour(State &S) {
  float Sum = 0;
  for (int I = 0; I < 4; ++I)
    Sum += drawn(S) * 0x1p-32f;
  return Sum;
}

__global__ void before(State *States, float *Out) {
  const int I = blockIdx.x * 256 + threadIdx.x;
  State S = States[I];
  Out[I] = sumOfFour(S);
  States[I] = S;
}

__global__ void after(unsigned *Words, float *Out) {
  const int I = blockIdx.x * 256 + threadIdx.x;
  State S;
  for (int W = 0; W < 5; ++W)
    S.Word[W] = Words[W * N + I];
  S.Weyl = Words[5 * N + I];
  Out[I] = sumOfFour(S);
  for (int W = 0; W < 5; ++W)
    Words[W * N + I] = S.Word[W];
  Words[5 * N + I] = S.Weyl;
}

int main() {
  unsigned *States = input<unsigned>(6 * N, 1u << 31);
  unsigned *Planes = arranged(States, 6 * N, 6 * N,
                              [](size_t I) { return I % N * 6 + I / N; });
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("random-states-planes");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>((State *)States, Expected);
    else
      after<<<N / 256, 256>>>(Planes, Out);
}

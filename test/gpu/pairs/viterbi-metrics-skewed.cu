// Rule: cuda-memory-bank-conflict
// Viterbi's decoder of a code of 256 states, a state a thread: each step reads
// the costs of two neighbouring states, at every second word; a word left out
// after each 32 spreads them.
#include "Pair.cuh"

constexpr int Frames = 528, States = 256, Steps = 96;

template <class F>
__device__ void decode(const uint8_t *Symbols, uint8_t *Choices, int *Costs,
                       F Place) {
  __shared__ int Metrics[2][States + States / 32];
  const int S = threadIdx.x, From = S * 2 % States;
  const int Parity = __popc(S & 0x6d) & 1, Other = __popc(S & 0x4f) & 1;
  Metrics[0][Place(S)] = S == 0 ? 0 : 1000;
  __syncthreads();
  for (int I = 0; I < Steps; ++I) {
    const int Symbol = Symbols[blockIdx.x * Steps + I];
    const int Error =
        abs(Symbol % 16 - 15 * Parity) + abs(Symbol / 16 - 15 * Other);
    const int A = Metrics[I % 2][Place(From)] + Error,
              B = Metrics[I % 2][Place(From + 1)] + 30 - Error;
    Metrics[(I + 1) % 2][Place(S)] = min(A, B);
    Choices[(blockIdx.x * Steps + I) * States + S] = B < A;
    __syncthreads();
  }
  Costs[blockIdx.x * States + S] = Metrics[Steps % 2][Place(S)];
}

__global__ void before(const uint8_t *Symbols, uint8_t *Choices, int *Costs) {
  decode(Symbols, Choices, Costs, [](int S) { return S; });
}

__global__ void after(const uint8_t *Symbols, uint8_t *Choices, int *Costs) {
  decode(Symbols, Choices, Costs, [](int S) { return S + S / 32; });
}

int main() {
  const uint8_t *Symbols = input<uint8_t>(Frames * Steps, 256);
  uint8_t *Expected = output<uint8_t>(Frames * Steps * States),
          *Out = output<uint8_t>(Frames * Steps * States);
  int *ExpectedCosts = output<int>(Frames * States),
      *Costs = output<int>(Frames * States);
  Pair P("viterbi-metrics-skewed");
  P.same(Expected, Out, Frames * Steps * States);
  P.same(ExpectedCosts, Costs, Frames * States);
  while (P.next())
    if (P.beforesTurn())
      before<<<Frames, States>>>(Symbols, Expected, ExpectedCosts);
    else
      after<<<Frames, States>>>(Symbols, Out, Costs);
}

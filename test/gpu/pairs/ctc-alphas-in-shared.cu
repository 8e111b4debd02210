// Rule: cuda-memory-redundant-round-trip
// Forward pass of the loss of a speech recogniser (CTC), a block for each
// utterance, a thread for each state: a step reads what the step before has
// left in global memory, or a copy of it in shared memory.
#include "Pair.cuh"

constexpr int Utterances = 256, Steps = 200, Symbols = 64, Labels = 95;
constexpr int States = 2 * Labels + 1, Threads = 192;
constexpr float Never = -1e30f;

__device__ float sumOfLogs(float A, float B, float C) {
  const float Most = fmaxf(A, fmaxf(B, C));
  return Most + __logf(__expf(A - Most) + __expf(B - Most) + __expf(C - Most));
}

/// Between labels, and around them, there is a blank.
__device__ int symbolOf(const int *Label, int State) {
  return State % 2 && State < States ? Label[State / 2] : 0;
}

__global__ void before(const float *__restrict__ Chance,
                       const int *__restrict__ Label, float *Alpha) {
  const int S = threadIdx.x;
  Chance += blockIdx.x * Steps * Symbols;
  Label += blockIdx.x * Labels;
  Alpha += blockIdx.x * Steps * States;
  const int Own = symbolOf(Label, S);
  const bool Skips = S % 2 && S >= 3 && Own != symbolOf(Label, S - 2);
  if (S < States)
    Alpha[S] = S < 2 ? Chance[Own] : Never;
  float Next = Chance[Symbols + Own];
  for (int T = 1; T < Steps; ++T) {
    const float Now = Next;
    if (T + 1 < Steps)
      Next = Chance[(T + 1) * Symbols + Own];
    __syncthreads();
    if (S < States) {
      const float *Last = Alpha + (T - 1) * States + S;
      Alpha[T * States + S] =
          Now + sumOfLogs(Last[0], S >= 1 ? Last[-1] : Never,
                          Skips ? Last[-2] : Never);
    }
  }
}

__global__ void after(const float *__restrict__ Chance,
                      const int *__restrict__ Label, float *Alpha) {
  __shared__ float Kept[2][States];
  const int S = threadIdx.x;
  Chance += blockIdx.x * Steps * Symbols;
  Label += blockIdx.x * Labels;
  Alpha += blockIdx.x * Steps * States;
  const int Own = symbolOf(Label, S);
  const bool Skips = S % 2 && S >= 3 && Own != symbolOf(Label, S - 2);
  if (S < States)
    Alpha[S] = Kept[0][S] = S < 2 ? Chance[Own] : Never;
  float Next = Chance[Symbols + Own];
  for (int T = 1; T < Steps; ++T) {
    const float Now = Next;
    if (T + 1 < Steps)
      Next = Chance[(T + 1) * Symbols + Own];
    __syncthreads();
    if (S < States) {
      const float *Last = Kept[(T - 1) % 2] + S;
      const float A = Now + sumOfLogs(Last[0], S >= 1 ? Last[-1] : Never,
                                      Skips ? Last[-2] : Never);
      Kept[T % 2][S] = A;
      Alpha[T * States + S] = A;
    }
  }
}

int main() {
  std::vector<float> Chances(Utterances * Steps * Symbols);
  for (size_t I = 0; I < Chances.size(); ++I)
    Chances[I] = -1 - mixed(I) % 6000 / 1000.0f;
  std::vector<int> Spoken(Utterances * Labels);
  for (size_t I = 0; I < Spoken.size(); ++I)
    Spoken[I] = 1 + mixed(I) % (Symbols - 1);
  const float *Chance = onDevice(Chances);
  const int *Label = onDevice(Spoken);
  constexpr int Count = Utterances * Steps * States;
  float *Expected = output<float>(Count), *Out = output<float>(Count);
  Pair P("ctc-alphas-in-shared");
  P.same(Expected, Out, Count);
  while (P.next())
    if (P.beforesTurn())
      before<<<Utterances, Threads>>>(Chance, Label, Expected);
    else
      after<<<Utterances, Threads>>>(Chance, Label, Out);
}

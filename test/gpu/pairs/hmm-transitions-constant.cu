// Rule: cuda-memory-constant-candidate
// How likely sequences of 64 symbols are under a hidden Markov model of twelve
// states, a thread for each sequence: the transitions, the same for all
// threads, are read from global or from constant memory.
#include "Pair.cuh"

constexpr int N = 1 << 18, States = 12, Symbols = 4, Steps = 64;

__constant__ float Transition[States][States];

struct FromGlobal {
  const float *Memory;
  __device__ float operator()(int I, int J) const {
    return Memory[I * States + J];
  }
};

struct FromConstant {
  __device__ float operator()(int I, int J) const { return Transition[I][J]; }
};

template <class Table>
__device__ __forceinline__ float likelihood(const unsigned char *Symbol,
                                            const float *Emission, Table Move,
                                            int I) {
  float Now[States], Next[States];
#pragma unroll
  for (int J = 0; J < States; ++J)
    Now[J] = 1.0f / States;
  for (int S = 0; S < Steps; ++S) {
    const float *Of = Emission + Symbol[S * N + I] * States;
#pragma unroll
    for (int J = 0; J < States; ++J) {
      float Sum = 0;
#pragma unroll
      for (int K = 0; K < States; ++K)
        Sum += Now[K] * Move(K, J);
      Next[J] = 0.33f * Sum * Of[J];
    }
#pragma unroll
    for (int J = 0; J < States; ++J)
      Now[J] = Next[J];
  }
  float Sum = 0;
#pragma unroll
  for (int J = 0; J < States; ++J)
    Sum += Now[J];
  return logf(Sum);
}

__global__ void before(const unsigned char *__restrict__ Symbol,
                       const float *__restrict__ Emission,
                       const float *__restrict__ Moves,
                       float *__restrict__ Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = likelihood(Symbol, Emission, FromGlobal{Moves}, I);
}

__global__ void after(const unsigned char *__restrict__ Symbol,
                      const float *__restrict__ Emission,
                      float *__restrict__ Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = likelihood(Symbol, Emission, FromConstant{}, I);
}

int main() {
  const unsigned char *Symbol = input<unsigned char>(N * Steps, Symbols);
  const float *Emission = input<float>(Symbols * States);
  const float *Moves = input<float>(States * States);
  must(cudaMemcpyToSymbol(Transition, Moves, sizeof(Transition), 0,
                          cudaMemcpyDeviceToDevice));
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("hmm-transitions-constant");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 128, 128>>>(Symbol, Emission, Moves, Expected);
    else
      after<<<N / 128, 128>>>(Symbol, Emission, Out);
}

// Rule: cuda-memory-atomic-contention
// The gate of a mixture of 64 experts, a warp for each token: best expert, and
// for the balancing loss how much and how often each expert is wanted, added
// up in global memory for each token, or by each block first.
#include "Pair.cuh"

constexpr int Tokens = 1 << 16, Experts = 64, Blocks = 528, Warps = 8;

struct Gate {
  float Low, High; // Of the experts Lane and Lane + 32.
  int Best;
};

__device__ Gate gate(const float *Logits, int Lane) {
  const float A = Logits[Lane], B = Logits[Lane + 32];
  float Top = fmaxf(A, B);
  int Best = A >= B ? Lane : Lane + 32;
  for (int Step = 16; Step > 0; Step /= 2) {
    const float Other = __shfl_xor_sync(~0u, Top, Step);
    const int Its = __shfl_xor_sync(~0u, Best, Step);
    if (Other > Top || (Other == Top && Its < Best)) {
      Top = Other;
      Best = Its;
    }
  }
  const float Low = __expf(A - Top), High = __expf(B - Top);
  float Sum = Low + High;
  for (int Step = 16; Step > 0; Step /= 2)
    Sum += __shfl_xor_sync(~0u, Sum, Step);
  return {Low / Sum, High / Sum, Best};
}

__global__ void before(const float *__restrict__ Logits, int *__restrict__ Best,
                       float *__restrict__ Importance, int *__restrict__ Load) {
  const int Lane = threadIdx.x, Warp = blockIdx.x * Warps + threadIdx.y;
  for (int T = Warp; T < Tokens; T += Blocks * Warps) {
    const Gate G = gate(Logits + T * Experts, Lane);
    atomicAdd(&Importance[Lane], G.Low);
    atomicAdd(&Importance[Lane + 32], G.High);
    if (Lane == 0) {
      atomicAdd(&Load[G.Best], 1);
      Best[T] = G.Best;
    }
  }
}

__global__ void after(const float *__restrict__ Logits, int *__restrict__ Best,
                      float *__restrict__ Importance, int *__restrict__ Load) {
  __shared__ float Wanted[Experts];
  __shared__ int Chosen[Experts];
  const int Lane = threadIdx.x, Warp = blockIdx.x * Warps + threadIdx.y;
  const int Thread = threadIdx.y * 32 + Lane;
  if (Thread < Experts) {
    Wanted[Thread] = 0;
    Chosen[Thread] = 0;
  }
  __syncthreads();
  for (int T = Warp; T < Tokens; T += Blocks * Warps) {
    const Gate G = gate(Logits + T * Experts, Lane);
    atomicAdd(&Wanted[Lane], G.Low);
    atomicAdd(&Wanted[Lane + 32], G.High);
    if (Lane == 0) {
      atomicAdd(&Chosen[G.Best], 1);
      Best[T] = G.Best;
    }
  }
  __syncthreads();
  if (Thread < Experts) {
    atomicAdd(&Importance[Thread], Wanted[Thread]);
    atomicAdd(&Load[Thread], Chosen[Thread]);
  }
}

int main() {
  const float *Logits = input<float>(Tokens * Experts);
  int *Expected = output<int>(Tokens), *Out = output<int>(Tokens);
  float *ExpectedSums = output<float>(Experts), *Sums = output<float>(Experts);
  int *ExpectedLoad = output<int>(Experts), *Load = output<int>(Experts);
  Pair P("expert-importance-by-blocks");
  P.same(Expected, Out, Tokens);
  P.same(ExpectedSums, Sums, Experts);
  P.same(ExpectedLoad, Load, Experts);
  const dim3 Block(32, Warps);
  while (P.next())
    if (P.beforesTurn())
      before<<<Blocks, Block>>>(Logits, Expected, ExpectedSums, ExpectedLoad);
    else
      after<<<Blocks, Block>>>(Logits, Out, Sums, Load);
}

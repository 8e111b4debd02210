// Rule: cuda-memory-bank-conflict
// Three steps of a Haar transform of 512 samples by a block: strides of two,
// four and eight words in shared memory, or a word is left out after each 32.
#include "Pair.cuh"

constexpr int N = 1 << 23, Each = 512;

template <bool Padded> __device__ int place(int I) {
  return Padded ? I + I / 32 : I;
}

template <bool Padded> __device__ void haar(const float *In, float *Out) {
  __shared__ float V[Each + Each / 32];
  const int T = threadIdx.x, Start = blockIdx.x * Each;
  V[place<Padded>(T)] = In[Start + T];
  V[place<Padded>(T + 256)] = In[Start + T + 256];
  for (int Step = 1; Step < 8; Step *= 2) {
    __syncthreads();
    const int I = 2 * Step * T;
    if (I < Each) {
      const float A = V[place<Padded>(I)], B = V[place<Padded>(I + Step)];
      V[place<Padded>(I)] = 0.70710678f * (A + B);
      V[place<Padded>(I + Step)] = 0.70710678f * (A - B);
    }
  }
  __syncthreads();
  Out[Start + T] = V[place<Padded>(T)];
  Out[Start + T + 256] = V[place<Padded>(T + 256)];
}

__global__ void before(const float *In, float *Out) { haar<false>(In, Out); }

__global__ void after(const float *In, float *Out) { haar<true>(In, Out); }

int main() {
  const float *In = input<float>(N);
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("haar-wavelet-padded");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / Each, 256>>>(In, Expected);
    else
      after<<<N / Each, 256>>>(In, Out);
}

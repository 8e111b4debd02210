// Rule: cuda-memory-bank-conflict
// Blelloch's scan of 1024 integers in shared memory: up a tree and down again,
// with conflicts that grow, or with a word of padding in 32.
#include "Pair.cuh"

constexpr int Blocks = 2048, Length = 1024;

__global__ void before(const int *In, int *Out) {
  __shared__ int Part[Length];
  const int T = threadIdx.x, Start = blockIdx.x * Length;
  Part[T] = In[Start + T];
  Part[T + 512] = In[Start + T + 512];
  int Step = 1;
  for (int Left = 512; Left > 0; Left /= 2) {
    __syncthreads();
    if (T < Left)
      Part[Step * (2 * T + 2) - 1] += Part[Step * (2 * T + 1) - 1];
    Step *= 2;
  }
  if (T == 0)
    Part[Length - 1] = 0;
  for (int Left = 1; Left < Length; Left *= 2) {
    Step /= 2;
    __syncthreads();
    if (T < Left) {
      const int Old = Part[Step * (2 * T + 1) - 1];
      Part[Step * (2 * T + 1) - 1] = Part[Step * (2 * T + 2) - 1];
      Part[Step * (2 * T + 2) - 1] += Old;
    }
  }
  __syncthreads();
  Out[Start + T] = Part[T];
  Out[Start + T + 512] = Part[T + 512];
}

__device__ int padded(int I) { return I + I / 32; }

__global__ void after(const int *In, int *Out) {
  __shared__ int Part[Length + Length / 32];
  const int T = threadIdx.x, Start = blockIdx.x * Length;
  Part[padded(T)] = In[Start + T];
  Part[padded(T + 512)] = In[Start + T + 512];
  int Step = 1;
  for (int Left = 512; Left > 0; Left /= 2) {
    __syncthreads();
    if (T < Left)
      Part[padded(Step * (2 * T + 2) - 1)] +=
          Part[padded(Step * (2 * T + 1) - 1)];
    Step *= 2;
  }
  if (T == 0)
    Part[padded(Length - 1)] = 0;
  for (int Left = 1; Left < Length; Left *= 2) {
    Step /= 2;
    __syncthreads();
    if (T < Left) {
      const int First = padded(Step * (2 * T + 1) - 1);
      const int Second = padded(Step * (2 * T + 2) - 1);
      const int Old = Part[First];
      Part[First] = Part[Second];
      Part[Second] += Old;
    }
  }
  __syncthreads();
  Out[Start + T] = Part[padded(T)];
  Out[Start + T + 512] = Part[padded(T + 512)];
}

int main() {
  const int *In = input<int>(Blocks * Length);
  int *Expected = output<int>(Blocks * Length),
      *Out = output<int>(Blocks * Length);
  Pair P("scan-by-tree");
  P.same(Expected, Out, Blocks * Length);
  while (P.next())
    if (P.beforesTurn())
      before<<<Blocks, 512>>>(In, Expected);
    else
      after<<<Blocks, 512>>>(In, Out);
}

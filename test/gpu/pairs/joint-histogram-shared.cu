// Rule: cuda-memory-atomic-contention
// How often two values meet in two scans that are laid over each other: 32x32
// counts in global memory, or those of a block in shared memory first.
// Options: --buffer=A=random,count=4194304,below=256
// Options: --buffer=B=random,count=4194304,below=256
#include "Pair.cuh"

constexpr int N = 1 << 22, Bins = 32;

__global__ void before(const unsigned char *A, const unsigned char *B, int N,
                       unsigned *Counts) {
  for (int I = blockIdx.x * blockDim.x + threadIdx.x; I < N;
       I += gridDim.x * blockDim.x)
    atomicAdd(&Counts[A[I] / 8 * Bins + B[I] / 8], 1);
}

__global__ void after(const unsigned char *A, const unsigned char *B, int N,
                      unsigned *Counts) {
  __shared__ unsigned Mine[Bins * Bins];
  for (int T = threadIdx.x; T < Bins * Bins; T += blockDim.x)
    Mine[T] = 0;
  __syncthreads();
  for (int I = blockIdx.x * blockDim.x + threadIdx.x; I < N;
       I += gridDim.x * blockDim.x)
    atomicAdd(&Mine[A[I] / 8 * Bins + B[I] / 8], 1);
  __syncthreads();
  for (int T = threadIdx.x; T < Bins * Bins; T += blockDim.x)
    atomicAdd(&Counts[T], Mine[T]);
}

int main() {
  const unsigned char *A = input<unsigned char>(2 * N, 256), *B = A + N;
  unsigned *Expected = output<unsigned>(Bins * Bins),
           *Out = output<unsigned>(Bins * Bins);
  Pair P("joint-histogram-shared");
  P.same(Expected, Out, Bins * Bins);
  while (P.next())
    if (P.beforesTurn())
      before<<<264, 1024>>>(A, B, N, Expected);
    else
      after<<<264, 1024>>>(A, B, N, Out);
}

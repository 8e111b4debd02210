// Rule: cuda-memory-atomic-contention
// Masses of eight million particles added up, in doubles, for the 2048 halos
// that they belong to: in global memory, or for a block in shared memory first.
#include "Pair.cuh"

constexpr int N = 1 << 23, Halos = 2048, Blocks = 264, Threads = 512;

__global__ void before(const float *__restrict__ Mass,
                       const int *__restrict__ Halo, double *__restrict__ Total,
                       int N) {
  for (int I = blockIdx.x * blockDim.x + threadIdx.x; I < N;
       I += gridDim.x * blockDim.x)
    atomicAdd(&Total[Halo[I]], double(Mass[I]));
}

__global__ void after(const float *__restrict__ Mass,
                      const int *__restrict__ Halo, double *__restrict__ Total,
                      int N) {
  __shared__ double Part[Halos];
  for (int H = threadIdx.x; H < Halos; H += blockDim.x)
    Part[H] = 0;
  __syncthreads();
  for (int I = blockIdx.x * blockDim.x + threadIdx.x; I < N;
       I += gridDim.x * blockDim.x)
    atomicAdd(&Part[Halo[I]], double(Mass[I]));
  __syncthreads();
  for (int H = threadIdx.x; H < Halos; H += blockDim.x)
    atomicAdd(&Total[H], Part[H]);
}

int main() {
  const float *Mass = input<float>(N);
  const int *Halo = input<int>(N, Halos);
  double *Expected = output<double>(Halos), *Out = output<double>(Halos);
  Pair P("halo-masses-shared");
  P.same(Expected, Out, Halos);
  while (P.next())
    if (P.beforesTurn())
      before<<<Blocks, Threads>>>(Mass, Halo, Expected, N);
    else
      after<<<Blocks, Threads>>>(Mass, Halo, Out, N);
}

// Rule: cuda-memory-needless-staging
// Coefficients of blocks of 8 x 8 are scaled by a table of 64 factors, which
// each block of threads copies to shared memory first, or reads as it is.
#include "Pair.cuh"

constexpr int N = 1 << 22;

__device__ int16_t quantised(int Coefficient, float Step) {
  return int16_t(__float2int_rn(Coefficient * Step));
}

__global__ void before(const int16_t *__restrict__ Coefficients,
                       const float *__restrict__ Steps,
                       int16_t *__restrict__ Out) {
  __shared__ float Copy[64];
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x < 64)
    Copy[threadIdx.x] = Steps[threadIdx.x];
  __syncthreads();
  Out[I] = quantised(Coefficients[I], Copy[I % 64]);
}

__global__ void after(const int16_t *__restrict__ Coefficients,
                      const float *__restrict__ Steps,
                      int16_t *__restrict__ Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = quantised(Coefficients[I], Steps[I % 64]);
}

int main() {
  const int16_t *Coefficients = input<int16_t>(N, 2048);
  const float *Steps = input<float>(64);
  int16_t *Expected = output<int16_t>(N), *Out = output<int16_t>(N);
  Pair P("quantisation-steps-direct");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(Coefficients, Steps, Expected);
    else
      after<<<N / 256, 256>>>(Coefficients, Steps, Out);
}

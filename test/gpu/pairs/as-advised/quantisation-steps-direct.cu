// Rule: cuda-memory-narrow-access
// Coefficients of blocks of 8 x 8 are scaled by a table of 64 factors, which
// each block of threads copies to shared memory first: a thread has one
// coefficient, or, as advised, two neighbouring ones as one short2.
#include "../Pair.cuh"

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
  __shared__ float2 Copy[32];
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x < 32)
    Copy[threadIdx.x] = reinterpret_cast<const float2 *>(Steps)[threadIdx.x];
  __syncthreads();
  const short2 Two = reinterpret_cast<const short2 *>(Coefficients)[I];
  const float2 Step = Copy[I % 32];
  reinterpret_cast<short2 *>(Out)[I] =
      make_short2(quantised(Two.x, Step.x), quantised(Two.y, Step.y));
}

int main() {
  const int16_t *Coefficients = input<int16_t>(N, 2048);
  const float *Steps = input<float>(64);
  int16_t *Expected = output<int16_t>(N), *Out = output<int16_t>(N);
  Pair P("quantisation-steps-direct-as-advised");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(Coefficients, Steps, Expected);
    else
      after<<<N / 256 / 2, 256>>>(Coefficients, Steps, Out);
}

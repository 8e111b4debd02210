// Rule: cuda-memory-needless-staging
// Number theoretic transforms of many polynomials (256 coefficients modulo
// 3329, as in Kyber): one by a block of 128 threads through shared memory, or
// by a warp that keeps eight coefficients a lane and shuffles them.
#include "Pair.cuh"

constexpr int Polynomials = 1 << 14, N = 256, Prime = 3329;

__device__ inline uint32_t times(uint32_t A, uint32_t B) {
  return A * B % Prime;
}
__device__ inline uint32_t plus(uint32_t A, uint32_t B) {
  const uint32_t S = A + B;
  return S >= Prime ? S - Prime : S;
}
__device__ inline uint32_t minus(uint32_t A, uint32_t B) {
  return A >= B ? A - B : A + Prime - B;
}

__global__ void before(const uint16_t *__restrict__ In,
                       const uint16_t *__restrict__ Zetas,
                       uint16_t *__restrict__ Out) {
  __shared__ uint32_t C[N];
  const size_t Base = size_t(blockIdx.x) * N;
  const int T = threadIdx.x;
  C[T] = In[Base + T];
  C[T + 128] = In[Base + T + 128];
  __syncthreads();
  for (int Length = 128; Length >= 2; Length /= 2) {
    const int Group = T / Length;
    const int J = Group * 2 * Length + T % Length;
    const uint32_t Zeta = Zetas[128 / Length + Group];
    const uint32_t A = C[J], B = times(Zeta, C[J + Length]);
    C[J] = plus(A, B);
    C[J + Length] = minus(A, B);
    __syncthreads();
  }
  Out[Base + T] = uint16_t(C[T]);
  Out[Base + T + 128] = uint16_t(C[T + 128]);
}

__global__ void after(const uint16_t *__restrict__ In,
                      const uint16_t *__restrict__ Zetas,
                      uint16_t *__restrict__ Out) {
  const int Lane = threadIdx.x % 32;
  const int Polynomial = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const size_t Base = size_t(Polynomial) * N;
  uint32_t C[8]; // Coefficients Lane, Lane + 32, ...
#pragma unroll
  for (int K = 0; K < 8; ++K)
    C[K] = In[Base + Lane + 32 * K];
#pragma unroll
  for (int Half = 4; Half >= 1; Half /= 2)
#pragma unroll
    for (int K = 0; K < 8; ++K)
      if (!(K & Half)) {
        const uint32_t Zeta = Zetas[4 / Half + K / (2 * Half)];
        const uint32_t A = C[K], B = times(Zeta, C[K + Half]);
        C[K] = plus(A, B);
        C[K + Half] = minus(A, B);
      }
#pragma unroll
  for (int Length = 16; Length >= 2; Length /= 2) {
    const bool Upper = Lane & Length;
#pragma unroll
    for (int K = 0; K < 8; ++K) {
      const uint32_t Zeta = Zetas[128 / Length + (Lane + 32 * K) / 2 / Length];
      const uint32_t Own = Upper ? times(Zeta, C[K]) : C[K];
      const uint32_t Other = __shfl_xor_sync(~0u, Own, Length);
      C[K] = Upper ? minus(Other, Own) : plus(Own, Other);
    }
  }
#pragma unroll
  for (int K = 0; K < 8; ++K)
    Out[Base + Lane + 32 * K] = uint16_t(C[K]);
}

int main() {
  // Powers of 17, their exponents bit-reversed.
  std::vector<uint16_t> Zetas(128);
  for (int I = 0; I < 128; ++I) {
    int Exponent = 0, Power = 1;
    for (int Bit = 0; Bit < 7; ++Bit)
      Exponent |= (I >> Bit & 1) << (6 - Bit);
    for (int E = 0; E < Exponent; ++E)
      Power = Power * 17 % Prime;
    Zetas[I] = uint16_t(Power);
  }
  const uint16_t *DeviceZetas = onDevice(Zetas);
  constexpr size_t Count = size_t(Polynomials) * N;
  const uint16_t *In = input<uint16_t>(Count, Prime);
  uint16_t *Expected = output<uint16_t>(Count), *Out = output<uint16_t>(Count);
  Pair P("kyber-transform-by-shuffles");
  P.same(Expected, Out, Count);
  while (P.next())
    if (P.beforesTurn())
      before<<<Polynomials, 128>>>(In, DeviceZetas, Expected);
    else
      after<<<Polynomials / 4, 128>>>(In, DeviceZetas, Out);
}

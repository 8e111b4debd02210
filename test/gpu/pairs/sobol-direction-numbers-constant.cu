// Rule: cuda-memory-constant-candidate
// Quasi-random paths for a quanto basket: Sobol points by Gray code in 64
// dimensions, each mapped to a normal number. The direction numbers come from
// global or from constant memory.
#include "Pair.cuh"

constexpr int Dimensions = 64, Bits = 20, Points = 1 << 18;

__constant__ uint32_t ConstantNumbers[Dimensions * Bits];

__device__ inline float inverseNormal(float U) {
  const float T = U - 0.5f, A = fabsf(T);
  if (A < 0.42f) {
    const float R = T * T;
    return T *
           (((-25.44106f * R + 41.39119f) * R - 18.61500f) * R + 2.506628f) /
           ((((3.130829f * R - 21.06224f) * R + 23.08337f) * R - 8.473511f) *
                R +
            1);
  }
  const float R = __logf(-__logf(0.5f - A));
  const float X =
      0.3374754f + R * (0.9761690f + R * (0.1607979f + R * 0.02764388f));
  return T < 0 ? -X : X;
}

__device__ inline uint32_t sobol(const uint32_t *V, uint32_t Gray) {
  uint32_t X = 0;
#pragma unroll
  for (int B = 0; B < Bits; ++B)
    X ^= V[B] & (0u - (Gray >> B & 1));
  return X;
}

__device__ inline float basket(const uint32_t *Numbers, uint32_t Index) {
  const uint32_t Gray = Index ^ Index >> 1;
  float Log = 0, Sum = 0;
#pragma unroll 1
  for (int D = 0; D < Dimensions; ++D) {
    const uint32_t X = sobol(Numbers + D * Bits, Gray) >> 9;
    Log += 0.025f * inverseNormal((X + 0.5f) * 0x1p-23f);
    Sum += __expf(Log);
  }
  return fmaxf(Sum / Dimensions - 0.9f, 0.0f);
}

__global__ void before(const uint32_t *__restrict__ Numbers, float *Payoffs) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < Points)
    Payoffs[I] = basket(Numbers, I + 1);
}

__global__ void after(float *Payoffs) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < Points)
    Payoffs[I] = basket(ConstantNumbers, I + 1);
}

int main() {
  // A bit of its own in each number, noise below it.
  std::vector<uint32_t> V(Dimensions * Bits);
  for (int I = 0; I < Dimensions * Bits; ++I) {
    const uint32_t Top = 0x80000000u >> I % Bits;
    V[I] = Top | (mixed(I) & (Top - 1));
  }
  const uint32_t *Numbers = onDevice(V);
  must(cudaMemcpyToSymbol(ConstantNumbers, V.data(), V.size() * 4));
  float *Expected = output<float>(Points), *Out = output<float>(Points);
  Pair P("sobol-direction-numbers-constant");
  P.same(Expected, Out, Points);
  while (P.next())
    if (P.beforesTurn())
      before<<<Points / 128, 128>>>(Numbers, Expected);
    else
      after<<<Points / 128, 128>>>(Out);
}

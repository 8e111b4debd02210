// Rule: cuda-memory-constant-candidate
// Bootstrap: the mean and the mean square of many samples drawn with
// replacement, one a block. Which observations are drawn is computed on the
// spot by Philox, or was stored once as 16-bit numbers.
#include "Pair.cuh"

constexpr int Observations = 4096, Replicates = 4096, Threads = 256;

__host__ __device__ inline void draw(uint32_t Replicate, uint32_t I,
                                     uint16_t *Picks) {
  uint32_t C[4] = {I, Replicate, 0, 0}, Key0 = 2024, Key1 = 77;
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
  for (int Round = 0; Round < 10; ++Round) {
    const uint64_t A = uint64_t(0xD2511F53u) * C[0];
    const uint64_t B = uint64_t(0xCD9E8D57u) * C[2];
    C[0] = uint32_t(B >> 32) ^ C[1] ^ Key0;
    C[1] = uint32_t(B);
    C[2] = uint32_t(A >> 32) ^ C[3] ^ Key1;
    C[3] = uint32_t(A);
    Key0 += 0x9E3779B9u;
    Key1 += 0xBB67AE85u;
  }
  for (int K = 0; K < 4; ++K)
    Picks[K] = uint16_t(C[K] % Observations);
}

__device__ inline void store(float Sum, float Squares, float2 *Moments) {
  __shared__ float Sums[2][Threads / 32];
  for (int Step = 16; Step > 0; Step /= 2) {
    Sum += __shfl_xor_sync(~0u, Sum, Step);
    Squares += __shfl_xor_sync(~0u, Squares, Step);
  }
  if (threadIdx.x % 32 == 0) {
    Sums[0][threadIdx.x / 32] = Sum;
    Sums[1][threadIdx.x / 32] = Squares;
  }
  __syncthreads();
  if (threadIdx.x > 0)
    return;
  for (int I = 1; I < Threads / 32; ++I) {
    Sum += Sums[0][I];
    Squares += Sums[1][I];
  }
  Moments[blockIdx.x] = make_float2(Sum / Observations, Squares / Observations);
}

__global__ void before(const float *__restrict__ Values,
                       float2 *__restrict__ Moments) {
  __shared__ float Sample[Observations];
  for (int I = threadIdx.x; I < Observations; I += Threads)
    Sample[I] = Values[I];
  __syncthreads();
  float Sum = 0, Squares = 0;
  for (int I = threadIdx.x; I < Observations / 4; I += Threads) {
    uint16_t Picks[4];
    draw(blockIdx.x, I, Picks);
    for (int K = 0; K < 4; ++K) {
      const float Value = Sample[Picks[K]];
      Sum += Value;
      Squares += Value * Value;
    }
  }
  store(Sum, Squares, Moments);
}

__global__ void after(const float *__restrict__ Values,
                      const ushort4 *__restrict__ Draws,
                      float2 *__restrict__ Moments) {
  __shared__ float Sample[Observations];
  for (int I = threadIdx.x; I < Observations; I += Threads)
    Sample[I] = Values[I];
  __syncthreads();
  const ushort4 *Mine = Draws + size_t(blockIdx.x) * (Observations / 4);
  float Sum = 0, Squares = 0;
  for (int I = threadIdx.x; I < Observations / 4; I += Threads) {
    const ushort4 D = Mine[I];
    const uint16_t Picks[4] = {D.x, D.y, D.z, D.w};
    for (int K = 0; K < 4; ++K) {
      const float Value = Sample[Picks[K]];
      Sum += Value;
      Squares += Value * Value;
    }
  }
  store(Sum, Squares, Moments);
}

int main() {
  std::vector<uint16_t> Host(size_t(Replicates) * Observations);
  for (size_t I = 0; I < Host.size(); I += 4)
    draw(uint32_t(I / Observations), I % Observations / 4, &Host[I]);
  const uint16_t *Draws = onDevice(Host);
  const float *Values = input<float>(Observations);
  float *Expected = output<float>(2 * Replicates),
        *Out = output<float>(2 * Replicates);
  Pair P("bootstrap-draws-stored");
  P.same(Expected, Out, 2 * Replicates);
  while (P.next())
    if (P.beforesTurn())
      before<<<Replicates, Threads>>>(Values, (float2 *)Expected);
    else
      after<<<Replicates, Threads>>>(Values, (const ushort4 *)Draws,
                                     (float2 *)Out);
}

// Rule: cuda-memory-scalar-stream
// The end of a transformer's sublayer: bias, dropout by a counter-based random
// number, and the residual. An element a thread, or four with float4, as the
// fused kernels of Megatron, DeepSpeed and others do.
#include "Pair.cuh"

constexpr int Rows = 8192, Width = 2048, N = Rows * Width, Block = 256;

__device__ bool kept(unsigned Element, unsigned Seed, unsigned Threshold) {
  unsigned H = Element * 0x9e3779b1u ^ Seed;
  H ^= H >> 16;
  H *= 0x85ebca6bu;
  H ^= H >> 13;
  H *= 0xc2b2ae35u;
  H ^= H >> 16;
  return H < Threshold;
}

__global__ void before(const float *__restrict__ In,
                       const float *__restrict__ Bias,
                       const float *__restrict__ Residual,
                       float *__restrict__ Out, unsigned Seed,
                       unsigned Threshold, float Scale) {
  const int I = blockIdx.x * Block + threadIdx.x;
  const float Value = In[I] + Bias[I % Width];
  Out[I] = Residual[I] + (kept(I, Seed, Threshold) ? Value * Scale : 0.0f);
}

__global__ void after(const float4 *__restrict__ In,
                      const float4 *__restrict__ Bias,
                      const float4 *__restrict__ Residual,
                      float4 *__restrict__ Out, unsigned Seed,
                      unsigned Threshold, float Scale) {
  const int I = blockIdx.x * Block + threadIdx.x;
  const float4 V = In[I], B = Bias[I % (Width / 4)];
  float4 R = Residual[I];
  R.x += kept(4 * I, Seed, Threshold) ? (V.x + B.x) * Scale : 0.0f;
  R.y += kept(4 * I + 1, Seed, Threshold) ? (V.y + B.y) * Scale : 0.0f;
  R.z += kept(4 * I + 2, Seed, Threshold) ? (V.z + B.z) * Scale : 0.0f;
  R.w += kept(4 * I + 3, Seed, Threshold) ? (V.w + B.w) * Scale : 0.0f;
  Out[I] = R;
}

int main() {
  const float *In = input<float>(2 * size_t(N) + Width), *Residual = In + N,
              *Bias = Residual + N;
  float *Expected = output<float>(N), *Out = output<float>(N);
  const unsigned Threshold = 3865470566u; // 90 %
  Pair P("dropout-bias-residual-float4");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / Block, Block>>>(In, Bias, Residual, Expected, 17, Threshold,
                                   1 / 0.9f);
    else
      after<<<N / 4 / Block, Block>>>(
          reinterpret_cast<const float4 *>(In),
          reinterpret_cast<const float4 *>(Bias),
          reinterpret_cast<const float4 *>(Residual),
          reinterpret_cast<float4 *>(Out), 17, Threshold, 1 / 0.9f);
}

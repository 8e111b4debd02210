// Rule: cuda-memory-constant-nonuniform
// Weights of four bits, eight in a word, become floats by a code of sixteen
// values: looked up in constant memory, or asked of the lane that keeps them.
#include "Pair.cuh"

constexpr int N = 1 << 19;

__constant__ float Code[16];

__global__ void before(const uint32_t *Weights, const float *Scales,
                       float4 *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const uint32_t Word = Weights[I];
  const float Scale = Scales[I / 8];
  for (int H = 0; H < 2; ++H) {
    const uint32_t Four = Word >> 16 * H;
    Out[I * 2 + H] = make_float4(
        Scale * Code[Four & 15], Scale * Code[Four >> 4 & 15],
        Scale * Code[Four >> 8 & 15], Scale * Code[Four >> 12 & 15]);
  }
}

__global__ void after(const uint32_t *Weights, const float *Scales,
                      float4 *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const uint32_t Word = Weights[I];
  const float Scale = Scales[I / 8], Kept = Code[threadIdx.x % 16];
  const auto Value = [&](uint32_t Index) {
    return Scale * __shfl_sync(~0u, Kept, Index & 15);
  };
  for (int H = 0; H < 2; ++H) {
    const uint32_t Four = Word >> 16 * H;
    Out[I * 2 + H] = make_float4(Value(Four), Value(Four >> 4),
                                 Value(Four >> 8), Value(Four >> 12));
  }
}

int main() {
  float Host[16];
  for (int I = 0; I < 16; ++I)
    Host[I] = (I - 7.5f) * std::abs(I - 7.5f) / 56.25f;
  must(cudaMemcpyToSymbol(Code, Host, sizeof(Host)));
  const uint32_t *Weights = input<uint32_t>(N, ~0u);
  const float *Scales = input<float>(N / 8);
  float *Expected = output<float>(8 * N), *Out = output<float>(8 * N);
  Pair P("codebook-by-shuffles");
  P.same(Expected, Out, 8 * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(Weights, Scales, (float4 *)Expected);
    else
      after<<<N / 256, 256>>>(Weights, Scales, (float4 *)Out);
}

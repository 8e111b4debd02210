// Rule: cuda-memory-narrow-access
// An electron backscatter pattern of 60 x 60 compared with a dictionary of
// 12288 simulated ones, a warp for each: these have 256 levels and are stored
// as floats or as bytes.
#include "Pair.cuh"

constexpr int Patterns = 12288, Pixels = 3600, Warps = 8;

__device__ float4 asFloats(float4 Value) { return Value; }

__device__ float4 asFloats(uchar4 Value) {
  return make_float4(Value.x, Value.y, Value.z, Value.w);
}

template <class T>
__device__ void compare(const T *__restrict__ Dictionary,
                        const float4 *__restrict__ Seen,
                        float *__restrict__ Score) {
  const int Pattern = blockIdx.x * Warps + threadIdx.x / 32;
  const int Lane = threadIdx.x % 32;
  Dictionary += Pattern * (Pixels / 4);
  float Product = 0, Norm = 0;
#pragma unroll 4
  for (int I = Lane; I < Pixels / 4; I += 32) {
    const float4 D = asFloats(Dictionary[I]), S = Seen[I];
    Product += D.x * S.x + D.y * S.y + D.z * S.z + D.w * S.w;
    Norm += D.x * D.x + D.y * D.y + D.z * D.z + D.w * D.w;
  }
  for (int Step = 16; Step > 0; Step /= 2) {
    Product += __shfl_xor_sync(0xffffffff, Product, Step);
    Norm += __shfl_xor_sync(0xffffffff, Norm, Step);
  }
  if (Lane == 0)
    Score[Pattern] = Product * rsqrtf(Norm);
}

__global__ void before(const float4 *__restrict__ Dictionary,
                       const float4 *__restrict__ Seen,
                       float *__restrict__ Score) {
  compare(Dictionary, Seen, Score);
}

__global__ void after(const uchar4 *__restrict__ Dictionary,
                      const float4 *__restrict__ Seen,
                      float *__restrict__ Score) {
  compare(Dictionary, Seen, Score);
}

int main() {
  const size_t Count = size_t(Patterns) * Pixels;
  const unsigned char *Bytes = input<unsigned char>(Count, 256);
  const std::vector<unsigned char> Levels = onHost(Bytes, Count);
  const float *Floats =
      onDevice(std::vector<float>(Levels.begin(), Levels.end()));
  const float4 *Seen = (const float4 *)input<float>(Pixels);
  float *Expected = output<float>(Patterns), *Out = output<float>(Patterns);
  Pair P("ebsd-dictionary-in-bytes");
  P.same(Expected, Out, Patterns);
  while (P.next())
    if (P.beforesTurn())
      before<<<Patterns / Warps, 32 * Warps>>>((const float4 *)Floats, Seen,
                                               Expected);
    else
      after<<<Patterns / Warps, 32 * Warps>>>((const uchar4 *)Bytes, Seen, Out);
}

// Rule: cuda-memory-narrow-access
// RMS norm of rows of 4096 numbers in bfloat16, a block each: a thread
// loads and stores its sixteen one by one, or eight at a time.
#include "Pair.cuh"

#include <cuda_bf16.h>

constexpr int Rows = 2048, Width = 4096, Each = Width / 256;

__device__ float sumOfBlock(float Value) {
  __shared__ float OfWarps[8];
  for (int I = 16; I > 0; I /= 2)
    Value += __shfl_xor_sync(~0u, Value, I);
  if (threadIdx.x % 32 == 0)
    OfWarps[threadIdx.x / 32] = Value;
  __syncthreads();
  float Sum = 0;
  for (int I = 0; I < 8; ++I)
    Sum += OfWarps[I];
  return Sum;
}

__global__ void before(const __nv_bfloat16 *In, __nv_bfloat16 *Out) {
  float Values[Each], Sum = 0;
  const int First = blockIdx.x * Width + threadIdx.x;
  for (int I = 0; I < Each; ++I) {
    Values[I] = __bfloat162float(In[First + I * 256]);
    Sum += Values[I] * Values[I];
  }
  const float Scale = rsqrtf(sumOfBlock(Sum) / Width + 1e-6f);
  for (int I = 0; I < Each; ++I)
    Out[First + I * 256] = __float2bfloat16(Values[I] * Scale);
}

struct alignas(16) Eight {
  __nv_bfloat16 Of[8];
};

__global__ void after(const Eight *In, Eight *Out) {
  Eight Values[Each / 8];
  float Sum = 0;
  const int First = blockIdx.x * Width / 8 + threadIdx.x;
  for (int I = 0; I < Each / 8; ++I) {
    Values[I] = In[First + I * 256];
    for (int J = 0; J < 8; ++J) {
      const float Value = __bfloat162float(Values[I].Of[J]);
      Sum += Value * Value;
    }
  }
  const float Scale = rsqrtf(sumOfBlock(Sum) / Width + 1e-6f);
  for (int I = 0; I < Each / 8; ++I) {
    for (auto &Value : Values[I].Of)
      Value = __float2bfloat16(__bfloat162float(Value) * Scale);
    Out[First + I * 256] = Values[I];
  }
}

int main() {
  // Powers of two survive another order of the sum.
  std::vector<uint16_t> Host(Rows * Width);
  for (int I = 0; I < Rows * Width; ++I)
    Host[I] = uint16_t(0x3e80 + mixed(I) % 4 * 0x80);
  const uint16_t *In = onDevice(Host);
  uint16_t *Expected = output<uint16_t>(Rows * Width),
           *Out = output<uint16_t>(Rows * Width);
  Pair P("rms-norm-bf16-eight");
  P.same(Expected, Out, Rows * Width);
  while (P.next())
    if (P.beforesTurn())
      before<<<Rows, 256>>>((const __nv_bfloat16 *)In,
                            (__nv_bfloat16 *)Expected);
    else
      after<<<Rows, 256>>>((const Eight *)In, (Eight *)Out);
}

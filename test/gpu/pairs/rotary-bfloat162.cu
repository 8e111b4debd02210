// Rule: cuda-memory-narrow-access
// Positions turn pairs of numbers of 16 bits that lie beside each other: a
// thread loads and stores its pair in two or in one.
#include "Pair.cuh"

#include <cuda_bf16.h>

constexpr int Tokens = 4096, Heads = 32, Half = 64;

__global__ void before(const __nv_bfloat16 *In, const float *Cos,
                       const float *Sin, __nv_bfloat16 *Out) {
  const int Token = blockIdx.y, I = blockIdx.x * blockDim.x + threadIdx.x;
  const int At = Token * Heads * Half + I, Turn = Token * Half + I % Half;
  const float A = __bfloat162float(In[2 * At]);
  const float B = __bfloat162float(In[2 * At + 1]);
  const float C = Cos[Turn], S = Sin[Turn];
  Out[2 * At] = __float2bfloat16(A * C - B * S);
  Out[2 * At + 1] = __float2bfloat16(A * S + B * C);
}

__global__ void after(const __nv_bfloat162 *In, const float *Cos,
                      const float *Sin, __nv_bfloat162 *Out) {
  const int Token = blockIdx.y, I = blockIdx.x * blockDim.x + threadIdx.x;
  const int At = Token * Heads * Half + I, Turn = Token * Half + I % Half;
  const float2 V = __bfloat1622float2(In[At]);
  const float C = Cos[Turn], S = Sin[Turn];
  Out[At] = __floats2bfloat162_rn(V.x * C - V.y * S, V.x * S + V.y * C);
}

int main() {
  constexpr int All = Tokens * Heads * Half * 2;
  // From 0 to 1.
  const uint16_t *In = input<uint16_t>(All, 0x3f80);
  const float *Cos = input<float>(2 * Tokens * Half),
              *Sin = Cos + Tokens * Half;
  uint16_t *Expected = output<uint16_t>(All), *Out = output<uint16_t>(All);
  Pair P("rotary-bfloat162");
  P.same(Expected, Out, All);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Heads * Half / 256, Tokens), 256>>>(
          (const __nv_bfloat16 *)In, Cos, Sin, (__nv_bfloat16 *)Expected);
    else
      after<<<dim3(Heads * Half / 256, Tokens), 256>>>(
          (const __nv_bfloat162 *)In, Cos, Sin, (__nv_bfloat162 *)Out);
}

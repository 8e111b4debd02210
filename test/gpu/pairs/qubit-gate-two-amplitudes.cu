// Rule: cuda-memory-scalar-stream
// A gate on one qubit of 23 turns pairs of complex amplitudes that are far
// apart: a pair a thread, or two pairs with loads twice as wide.
#include "Pair.cuh"

constexpr int Amplitudes = 1 << 23, Apart = 1 << 12;

__global__ void before(const float2 *Old, float2 *New, float Cos, float Sin) {
  const int I = blockIdx.x * 256 + threadIdx.x;
  const int Low = I / Apart * 2 * Apart + I % Apart;
  const float2 A = Old[Low], B = Old[Low + Apart];
  New[Low] = {Cos * A.x + Sin * B.y, Cos * A.y - Sin * B.x};
  New[Low + Apart] = {Cos * B.x + Sin * A.y, Cos * B.y - Sin * A.x};
}

__global__ void after(const float4 *Old, float4 *New, float Cos, float Sin) {
  const int I = blockIdx.x * 256 + threadIdx.x;
  const int Low = I / (Apart / 2) * Apart + I % (Apart / 2);
  const float4 A = Old[Low], B = Old[Low + Apart / 2];
  New[Low] = {Cos * A.x + Sin * B.y, Cos * A.y - Sin * B.x,
              Cos * A.z + Sin * B.w, Cos * A.w - Sin * B.z};
  New[Low + Apart / 2] = {Cos * B.x + Sin * A.y, Cos * B.y - Sin * A.x,
                          Cos * B.z + Sin * A.w, Cos * B.w - Sin * A.z};
}

int main() {
  const float *Old = input<float>(2 * Amplitudes);
  float *Expected = output<float>(2 * Amplitudes),
        *Out = output<float>(2 * Amplitudes);
  Pair P("qubit-gate-two-amplitudes");
  P.same(Expected, Out, 2 * Amplitudes);
  while (P.next())
    if (P.beforesTurn())
      before<<<Amplitudes / 512, 256>>>((const float2 *)Old, (float2 *)Expected,
                                        0.8f, 0.6f);
    else
      after<<<Amplitudes / 1024, 256>>>((const float4 *)Old, (float4 *)Out,
                                        0.8f, 0.6f);
}

// Rule: cuda-memory-small-block
// A picture enlarged threefold by bicubic interpolation, sixteen pixels read
// for each written, by blocks of 32x32 or of 32x8 threads.
#include "Pair.cuh"

constexpr int Size = 1024, Pitch = Size + 8, Large = 3072;

__device__ __forceinline__ float4 weights(float T) {
  const float A = -0.5f, S = 1 - T;
  return {((A * (T + 1) - 5 * A) * (T + 1) + 8 * A) * (T + 1) - 4 * A,
          ((A + 2) * T - (A + 3)) * T * T + 1,
          ((A + 2) * S - (A + 3)) * S * S + 1,
          ((A * (S + 1) - 5 * A) * (S + 1) + 8 * A) * (S + 1) - 4 * A};
}

__device__ __forceinline__ void zoom(const float *In, float *Out, float Step) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x;
  const int Y = blockIdx.y * blockDim.y + threadIdx.y;
  const float FX = X * Step + 1.0f, FY = Y * Step + 1.0f;
  const int IX = int(FX), IY = int(FY);
  const float4 WX = weights(FX - IX), WY = weights(FY - IY);
  float Row[4];
#pragma unroll
  for (int R = 0; R < 4; ++R) {
    const float *At = In + (IY + R - 1) * Pitch + IX - 1;
    Row[R] = WX.x * At[0] + WX.y * At[1] + WX.z * At[2] + WX.w * At[3];
  }
  Out[Y * Large + X] =
      WY.x * Row[0] + WY.y * Row[1] + WY.z * Row[2] + WY.w * Row[3];
}

__global__ void before(const float *__restrict__ In, float *__restrict__ Out,
                       float Step) {
  zoom(In, Out, Step);
}

__global__ void after(const float *__restrict__ In, float *__restrict__ Out,
                      float Step) {
  zoom(In, Out, Step);
}

int main() {
  const float *In = input<float>(Pitch * Pitch);
  float *Expected = output<float>(Large * Large),
        *Out = output<float>(Large * Large);
  const float Step = 1020.0f / Large;
  Pair P("bicubic-zoom-block-32x8");
  P.same(Expected, Out, Large * Large);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Large / 32, Large / 32), dim3(32, 32)>>>(In, Expected,
                                                             Step);
    else
      after<<<dim3(Large / 32, Large / 8), dim3(32, 8)>>>(In, Out, Step);
}

// Rule: cuda-memory-missing-restrict
// A frame of 4K in three planes goes through a colour profile: an input curve,
// a matrix with offsets and an output curve, whose 16 numbers are in global
// memory. A thread takes four pixels; what is stored may be the profile, for
// all that the compiler knows, or may not.
#include "Pair.cuh"

constexpr int Pixels = 3840 * 2160, PerThread = 4, Block = 256;

struct Profile {
  float Toe, Slope, Gamma, OutGamma;
  float Matrix[9], Offset[3];
};

__device__ float linear(float Value, float Toe, float Slope, float Gamma) {
  return Value < Toe ? Value * Slope
                     : __powf((Value + 0.055f) * (1 / 1.055f), Gamma);
}

__device__ float encoded(float Value, float Gamma) {
  return __powf(__saturatef(Value), Gamma);
}

__device__ void row(const Profile *P, int I, float R, float G, float B,
                    float *Out) {
  *Out = encoded(P->Matrix[3 * I] * R + P->Matrix[3 * I + 1] * G +
                     P->Matrix[3 * I + 2] * B + P->Offset[I],
                 P->OutGamma);
}

__global__ void before(const float *Red, const float *Green, const float *Blue,
                       const Profile *P, float *RedOut, float *GreenOut,
                       float *BlueOut) {
  int I = blockIdx.x * Block * PerThread + threadIdx.x;
#pragma unroll
  for (int K = 0; K < PerThread; ++K, I += Block) {
    const float R = linear(Red[I], P->Toe, P->Slope, P->Gamma),
                G = linear(Green[I], P->Toe, P->Slope, P->Gamma),
                B = linear(Blue[I], P->Toe, P->Slope, P->Gamma);
    row(P, 0, R, G, B, &RedOut[I]);
    row(P, 1, R, G, B, &GreenOut[I]);
    row(P, 2, R, G, B, &BlueOut[I]);
  }
}

__global__ void after(const float *__restrict__ Red,
                      const float *__restrict__ Green,
                      const float *__restrict__ Blue,
                      const Profile *__restrict__ P, float *__restrict__ RedOut,
                      float *__restrict__ GreenOut,
                      float *__restrict__ BlueOut) {
  int I = blockIdx.x * Block * PerThread + threadIdx.x;
#pragma unroll
  for (int K = 0; K < PerThread; ++K, I += Block) {
    const float R = linear(Red[I], P->Toe, P->Slope, P->Gamma),
                G = linear(Green[I], P->Toe, P->Slope, P->Gamma),
                B = linear(Blue[I], P->Toe, P->Slope, P->Gamma);
    row(P, 0, R, G, B, &RedOut[I]);
    row(P, 1, R, G, B, &GreenOut[I]);
    row(P, 2, R, G, B, &BlueOut[I]);
  }
}

int main() {
  const Profile *There = onDevice(std::vector<Profile>{
      {0.04045f, 1 / 12.92f, 2.4f, 1 / 2.2f,
       {0.8225f, 0.1774f, 0.0001f, 0.0332f, 0.9669f, -0.0001f, 0.0171f,
        0.0724f, 0.9108f},
       {0.002f, 0.001f, 0.003f}}});
  const float *In = input<float>(size_t(3) * Pixels);
  float *Expected = output<float>(size_t(3) * Pixels),
        *Out = output<float>(size_t(3) * Pixels);
  Pair P("colour-profile-restrict");
  P.same(Expected, Out, size_t(3) * Pixels);
  while (P.next())
    if (P.beforesTurn())
      before<<<Pixels / (Block * PerThread), Block>>>(
          In, In + Pixels, In + 2 * Pixels, There, Expected, Expected + Pixels,
          Expected + 2 * Pixels);
    else
      after<<<Pixels / (Block * PerThread), Block>>>(
          In, In + Pixels, In + 2 * Pixels, There, Out, Out + Pixels,
          Out + 2 * Pixels);
}

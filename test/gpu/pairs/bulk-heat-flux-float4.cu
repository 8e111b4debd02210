// Rule: cuda-memory-scalar-stream
// Sensible and latent heat between ocean and air by bulk formulas, with five
// rounds for the stability of the air: a float or four at a time.
#include "Pair.cuh"

constexpr int N = 1440 * 1080;

__device__ float2 fluxes(float Wind, float Air, float Sea, float Humidity) {
  const float Speed = 0.5f + 12 * Wind, Warmer = 6 * (Sea - Air),
              Vapour = 0.98f * 0.0038f * expf(0.065f * (10 + 15 * Sea)) -
                       0.008f * Humidity;
  float Drag = 0.035f, Stability = 0;
  for (int Round = 0; Round < 5; ++Round) {
    const float Friction = Drag * Speed;
    const float Rough = 0.0011f * Friction * Friction + 1e-5f;
    const float Log = logf(10 / Rough);
    Stability = -0.13f * Warmer * Drag / (Friction * Friction + 0.01f);
    Stability = fminf(fmaxf(Stability, -2.0f), 2.0f);
    const float Root = sqrtf(sqrtf(1 + 16 * fmaxf(-Stability, 0)));
    const float Psi = Stability < 0 ? 2 * logf((1 + Root * Root) / 2)
                                    : -5 * fminf(Stability, 0.5f);
    Drag = 0.4f / fmaxf(Log - Psi, 2.0f);
  }
  const float Transfer = Drag * Drag * Speed;
  return make_float2(1.2f * Transfer * Warmer, 3e3f * Transfer * Vapour);
}

__global__ void
before(const float *__restrict__ Wind, const float *__restrict__ Air,
       const float *__restrict__ Sea, const float *__restrict__ Humidity,
       float *__restrict__ Sensible, float *__restrict__ Latent) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= N)
    return;
  const float2 F = fluxes(Wind[I], Air[I], Sea[I], Humidity[I]);
  Sensible[I] = F.x;
  Latent[I] = F.y;
}

__global__ void
after(const float4 *__restrict__ Wind, const float4 *__restrict__ Air,
      const float4 *__restrict__ Sea, const float4 *__restrict__ Humidity,
      float4 *__restrict__ Sensible, float4 *__restrict__ Latent) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= N / 4)
    return;
  const float4 W = Wind[I], A = Air[I], S = Sea[I], H = Humidity[I];
  const float2 F0 = fluxes(W.x, A.x, S.x, H.x), F1 = fluxes(W.y, A.y, S.y, H.y),
               F2 = fluxes(W.z, A.z, S.z, H.z), F3 = fluxes(W.w, A.w, S.w, H.w);
  Sensible[I] = make_float4(F0.x, F1.x, F2.x, F3.x);
  Latent[I] = make_float4(F0.y, F1.y, F2.y, F3.y);
}

int main() {
  const float *In = input<float>(4 * N);
  const auto *In4 = (const float4 *)In;
  float *Expected = output<float>(2 * N), *Out = output<float>(2 * N);
  Pair P("bulk-heat-flux-float4");
  P.same(Expected, Out, 2 * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<(N + 255) / 256, 256>>>(In, In + N, In + 2 * N, In + 3 * N,
                                       Expected, Expected + N);
    else
      after<<<(N / 4 + 255) / 256, 256>>>(In4, In4 + N / 4, In4 + N / 2,
                                          In4 + N / 4 * 3, (float4 *)Out,
                                          (float4 *)Out + N / 4);
}

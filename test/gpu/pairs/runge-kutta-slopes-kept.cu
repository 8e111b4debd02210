// Rule: cuda-memory-redundant-round-trip
// A step of Runge and Kutta for many Lorenz systems: the four slopes of a
// thread go to global memory and come back for the sum, or stay in registers.
#include "Pair.cuh"

constexpr int N = 1 << 20;

__device__ float3 slope(float3 S) {
  return {10 * (S.y - S.x), S.x * (28 - S.z) - S.y, S.x * S.y - 2.667f * S.z};
}

__device__ float3 moved(float3 S, float3 K, float Step) {
  return {S.x + Step * K.x, S.y + Step * K.y, S.z + Step * K.z};
}

__device__ void put(float *Slopes, int Stage, int I, float3 K) {
  Slopes[(3 * Stage + 0) * N + I] = K.x;
  Slopes[(3 * Stage + 1) * N + I] = K.y;
  Slopes[(3 * Stage + 2) * N + I] = K.z;
}

__device__ float3 get(const float *Slopes, int Stage, int I) {
  return {Slopes[(3 * Stage + 0) * N + I], Slopes[(3 * Stage + 1) * N + I],
          Slopes[(3 * Stage + 2) * N + I]};
}

__global__ void before(const float *In, float *Slopes, float *Out, float H) {
  const int I = blockIdx.x * 256 + threadIdx.x;
  const float3 S = {In[I], In[N + I], In[2 * N + I]};
  put(Slopes, 0, I, slope(S));
  put(Slopes, 1, I, slope(moved(S, get(Slopes, 0, I), H / 2)));
  put(Slopes, 2, I, slope(moved(S, get(Slopes, 1, I), H / 2)));
  put(Slopes, 3, I, slope(moved(S, get(Slopes, 2, I), H)));
  for (int D = 0; D < 3; ++D)
    Out[D * N + I] =
        In[D * N + I] +
        H / 6 *
            (Slopes[D * N + I] + 2 * Slopes[(3 + D) * N + I] +
             2 * Slopes[(6 + D) * N + I] + Slopes[(9 + D) * N + I]);
}

__global__ void after(const float *In, float *Out, float H) {
  const int I = blockIdx.x * 256 + threadIdx.x;
  const float3 S = {In[I], In[N + I], In[2 * N + I]};
  const float3 K1 = slope(S);
  const float3 K2 = slope(moved(S, K1, H / 2));
  const float3 K3 = slope(moved(S, K2, H / 2));
  const float3 K4 = slope(moved(S, K3, H));
  Out[I] = S.x + H / 6 * (K1.x + 2 * K2.x + 2 * K3.x + K4.x);
  Out[N + I] = S.y + H / 6 * (K1.y + 2 * K2.y + 2 * K3.y + K4.y);
  Out[2 * N + I] = S.z + H / 6 * (K1.z + 2 * K2.z + 2 * K3.z + K4.z);
}

int main() {
  const float *In = input<float>(3 * N);
  float *Slopes = output<float>(12 * N);
  float *Expected = output<float>(3 * N), *Out = output<float>(3 * N);
  Pair P("runge-kutta-slopes-kept");
  P.same(Expected, Out, 3 * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(In, Slopes, Expected, 0.01f);
    else
      after<<<N / 256, 256>>>(In, Out, 0.01f);
}

// Rule: cuda-memory-scalar-stream
// The loss of a forecast of counts by a negative binomial distribution, and its
// gradient by the mean: three arrays read and two written, a float or four at a
// time.
#include "Pair.cuh"

constexpr int N = 1 << 22;

struct LossAndGradient {
  float Loss, Gradient;
};

__device__ LossAndGradient likelihood(float Scaled, float Mean, float Spread) {
  const float Count = floorf(Scaled * 40), Mu = 25 * Mean + 0.01f,
              R = 1 / (Spread + 0.05f);
  const float Both = R + Mu;
  const float Loss = lgammaf(R) + lgammaf(Count + 1) - lgammaf(Count + R) -
                     R * logf(R / Both) - Count * logf(Mu / Both);
  return {Loss, (Count + R) / Both - Count / Mu};
}

__global__ void before(const float *__restrict__ Count,
                       const float *__restrict__ Mean,
                       const float *__restrict__ Spread,
                       float *__restrict__ Loss, float *__restrict__ Gradient) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const LossAndGradient L = likelihood(Count[I], Mean[I], Spread[I]);
  Loss[I] = L.Loss;
  Gradient[I] = L.Gradient;
}

__global__ void after(const float4 *__restrict__ Count,
                      const float4 *__restrict__ Mean,
                      const float4 *__restrict__ Spread,
                      float4 *__restrict__ Loss,
                      float4 *__restrict__ Gradient) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 C = Count[I], M = Mean[I], S = Spread[I];
  const LossAndGradient X = likelihood(C.x, M.x, S.x),
                        Y = likelihood(C.y, M.y, S.y),
                        Z = likelihood(C.z, M.z, S.z),
                        W = likelihood(C.w, M.w, S.w);
  Loss[I] = make_float4(X.Loss, Y.Loss, Z.Loss, W.Loss);
  Gradient[I] = make_float4(X.Gradient, Y.Gradient, Z.Gradient, W.Gradient);
}

int main() {
  const float *In = input<float>(3 * N);
  float *Expected = output<float>(2 * N), *Out = output<float>(2 * N);
  const float4 *In4 = (const float4 *)In;
  Pair P("negative-binomial-loss-float4");
  P.same(Expected, Out, 2 * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(In, In + N, In + 2 * N, Expected, Expected + N);
    else
      after<<<N / 1024, 256>>>(In4, In4 + N / 4, In4 + N / 2, (float4 *)Out,
                               (float4 *)Out + N / 4);
}

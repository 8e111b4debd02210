// Rule: cuda-memory-scalar-stream
// A step of Adam over four million weights: four arrays read and three written,
// a float or four at a time.
#include "Pair.cuh"

constexpr int N = 1 << 22;

__device__ void step(float G, float &M, float &V, float &W) {
  M = 0.9f * M + 0.1f * G;
  V = 0.999f * V + 0.001f * G * G;
  W -= 0.001f * M * rsqrtf(V + 1e-6f);
}

__global__ void before(const float *__restrict__ Gradient,
                       float *__restrict__ Mean, float *__restrict__ Square,
                       float *__restrict__ Weight) {
  const int I = blockIdx.x * 256 + threadIdx.x;
  float M = Mean[I], V = Square[I], W = Weight[I];
  step(Gradient[I], M, V, W);
  Mean[I] = M;
  Square[I] = V;
  Weight[I] = W;
}

__global__ void after(const float4 *__restrict__ Gradient,
                      float4 *__restrict__ Mean, float4 *__restrict__ Square,
                      float4 *__restrict__ Weight) {
  const int I = blockIdx.x * 256 + threadIdx.x;
  const float4 G = Gradient[I];
  float4 M = Mean[I], V = Square[I], W = Weight[I];
  step(G.x, M.x, V.x, W.x);
  step(G.y, M.y, V.y, W.y);
  step(G.z, M.z, V.z, W.z);
  step(G.w, M.w, V.w, W.w);
  Mean[I] = M;
  Square[I] = V;
  Weight[I] = W;
}

int main() {
  const float *Gradient = input<float>(N);
  float *Expected = input<float>(3 * N), *Out = input<float>(3 * N);
  Pair P("adam-step-float4");
  P.same(Expected, Out, 3 * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(Gradient, Expected, Expected + N,
                               Expected + 2 * N);
    else
      after<<<N / 1024, 256>>>((const float4 *)Gradient, (float4 *)Out,
                               (float4 *)Out + N / 4, (float4 *)Out + N / 2);
}

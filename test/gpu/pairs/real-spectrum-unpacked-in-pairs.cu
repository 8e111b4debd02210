// Rule: cuda-memory-missing-reuse
// The spectrum of 16 million real samples, from a complex transform of half
// the length: bin K needs Z[K] and Z[N - K], and so does bin N - K. A thread
// has one bin or both.
#include "Pair.cuh"

constexpr int N = 1 << 23;

__device__ float2 times(float2 A, float2 B) {
  return {A.x * B.x - A.y * B.y, A.x * B.y + A.y * B.x};
}

/// The halves of a bin: of the even samples, and of the odd ones already
/// turned by their phase.
__device__ void separate(float2 Z, float2 Mirror, int K, float2 &Even,
                         float2 &Odd) {
  float2 W;
  sincospif(-float(K) / N, &W.y, &W.x);
  Even = {0.5f * (Z.x + Mirror.x), 0.5f * (Z.y - Mirror.y)};
  Odd = times(W, {0.5f * (Z.y + Mirror.y), 0.5f * (Mirror.x - Z.x)});
}

__global__ void before(const float2 *__restrict__ Z, float2 *__restrict__ X) {
  const int K = blockIdx.x * blockDim.x + threadIdx.x;
  if (K == 0) {
    const float2 First = Z[0];
    X[0] = {First.x + First.y, First.x - First.y};
    return;
  }
  float2 Even, Odd;
  separate(Z[K], Z[N - K], K, Even, Odd);
  X[K] = {Even.x + Odd.x, Even.y + Odd.y};
}

__global__ void after(const float2 *__restrict__ Z, float2 *__restrict__ X) {
  const int K = blockIdx.x * blockDim.x + threadIdx.x;
  if (K == 0) {
    const float2 First = Z[0], Middle = Z[N / 2];
    X[0] = {First.x + First.y, First.x - First.y};
    X[N / 2] = {Middle.x, -Middle.y};
    return;
  }
  float2 Even, Odd;
  separate(Z[K], Z[N - K], K, Even, Odd);
  X[K] = {Even.x + Odd.x, Even.y + Odd.y};
  X[N - K] = {Even.x - Odd.x, Odd.y - Even.y};
}

int main() {
  const float *Z = input<float>(2 * N);
  float *Expected = output<float>(2 * N), *Out = output<float>(2 * N);
  Pair P("real-spectrum-unpacked-in-pairs");
  P.same(Expected, Out, 2 * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>((const float2 *)Z, (float2 *)Expected);
    else
      after<<<N / 2 / 256, 256>>>((const float2 *)Z, (float2 *)Out);
}

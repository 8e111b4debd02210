// Rule: cuda-memory-single-result
// The nearest of 512 lines, which all lanes load from one address: for one
// point, or for four that lie a block's width apart.
#include "Pair.cuh"

constexpr int N = 1 << 20, Lines = 512, Threads = 256;

__device__ float away(float4 Line, float X) {
  return fabsf(X * Line.x + Line.y) + Line.z * X + Line.w;
}

__global__ void before(const float *Points, const float4 *Line, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const float X = Points[I];
  float Least = 1e30f;
  for (int L = 0; L < Lines; ++L)
    Least = fminf(Least, away(Line[L], X));
  Out[I] = Least;
}

__global__ void after(const float *Points, const float4 *Line, float *Out) {
  const int I = blockIdx.x * 4 * Threads + threadIdx.x;
  float X[4], Least[4];
  for (int J = 0; J < 4; ++J) {
    X[J] = Points[I + J * Threads];
    Least[J] = 1e30f;
  }
  for (int L = 0; L < Lines; ++L) {
    const float4 Its = Line[L];
    for (int J = 0; J < 4; ++J)
      Least[J] = fminf(Least[J], away(Its, X[J]));
  }
  for (int J = 0; J < 4; ++J)
    Out[I + J * Threads] = Least[J];
}

int main() {
  const float *Points = input<float>(N);
  const float4 *Line = reinterpret_cast<const float4 *>(input<float>(4 * Lines));
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("nearest-line-four-results");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / Threads, Threads>>>(Points, Line, Expected);
    else
      after<<<N / Threads / 4, Threads>>>(Points, Line, Out);
}

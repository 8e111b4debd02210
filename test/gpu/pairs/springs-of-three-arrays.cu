// Rule: cuda-memory-split-gather
// Forces of springs between two million points, twelve a point: the place of
// each neighbour is gathered from three arrays, or from one of four floats.
#include "Pair.cuh"

constexpr int N = 1 << 21, Springs = 12;

__device__ float pull(float X, float Y, float Z) {
  const float Square = X * X + Y * Y + Z * Z + 0.01f;
  return (1 - rsqrtf(Square)) * (X + Y + Z);
}

__global__ void before(const int *__restrict__ Other,
                       const float *__restrict__ X, const float *__restrict__ Y,
                       const float *__restrict__ Z, float *__restrict__ Force) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const float MyX = X[I], MyY = Y[I], MyZ = Z[I];
  float Sum = 0;
  for (int S = 0; S < Springs; ++S) {
    const int J = Other[S * N + I];
    Sum += pull(X[J] - MyX, Y[J] - MyY, Z[J] - MyZ);
  }
  Force[I] = Sum;
}

__global__ void after(const int *__restrict__ Other,
                      const float4 *__restrict__ Place,
                      float *__restrict__ Force) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 My = Place[I];
  float Sum = 0;
  for (int S = 0; S < Springs; ++S) {
    const float4 At = Place[Other[S * N + I]];
    Sum += pull(At.x - My.x, At.y - My.y, At.z - My.z);
  }
  Force[I] = Sum;
}

int main() {
  const int *Other = input<int>(size_t(N) * Springs, N);
  const float *Apart = input<float>(4 * N);
  const float *Together =
      arranged(Apart, 4 * N, 4 * N, [](size_t I) { return I % 4 * N + I / 4; });
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("springs-of-three-arrays");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(Other, Apart, Apart + N, Apart + 2 * N,
                               Expected);
    else
      after<<<N / 256, 256>>>(Other, (const float4 *)Together, Out);
}

// Rule: cuda-memory-uncoalesced-access
// Planes of x, y and z become records for drawing: three stores that skip two
// words each, or, by way of shared memory, three of neighbouring words.
#include "Pair.cuh"

constexpr int N = 1 << 22;

__global__ void before(const float *X, const float *Y, const float *Z,
                       float *Points) {
  const int I = blockIdx.x * 256 + threadIdx.x;
  Points[3 * I] = X[I];
  Points[3 * I + 1] = Y[I];
  Points[3 * I + 2] = Z[I];
}

__global__ void after(const float *X, const float *Y, const float *Z,
                      float *Points) {
  __shared__ float Records[3 * 256];
  const int T = threadIdx.x, I = blockIdx.x * 256 + T;
  Records[3 * T] = X[I];
  Records[3 * T + 1] = Y[I];
  Records[3 * T + 2] = Z[I];
  __syncthreads();
  for (int K = 0; K < 3; ++K)
    Points[blockIdx.x * 768 + K * 256 + T] = Records[K * 256 + T];
}

int main() {
  const float *X = input<float>(3 * N);
  float *Expected = output<float>(3 * N), *Out = output<float>(3 * N);
  Pair P("point-cloud-interleaved");
  P.same(Expected, Out, 3 * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(X, X + N, X + 2 * N, Expected);
    else
      after<<<N / 256, 256>>>(X, X + N, X + 2 * N, Out);
}

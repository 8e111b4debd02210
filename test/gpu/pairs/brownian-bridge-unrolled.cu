// Rule: cuda-memory-local-array
// Asian payoffs of paths of 32 steps built by a Brownian bridge: the path lies
// in a local array indexed by tables of the order of construction, or the
// halvings are known to the compiler, so that it stays in registers.
#include "Pair.cuh"

constexpr int Paths = 1 << 17, Levels = 5, Steps = 1 << Levels;

struct Knot {
  int At, Left, Right;
  float Deviation;
};

__constant__ Knot Bridge[Steps];

__global__ void before(const float *__restrict__ Normals, float Strike,
                       float *__restrict__ Payoff) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float W[Steps + 1];
  W[0] = 0;
  W[Steps] = Normals[I];
  for (int K = 1; K < Steps; ++K) {
    const Knot B = Bridge[K];
    W[B.At] =
        0.5f * (W[B.Left] + W[B.Right]) + B.Deviation * Normals[K * Paths + I];
  }
  float Sum = 0;
  for (int K = 1; K <= Steps; ++K)
    Sum += __expf(0.2f * W[K]);
  Payoff[I] = fmaxf(Sum / Steps - Strike, 0.0f);
}

/// The middle of what the path does from \p Left to \p Right, then its halves.
template <int K, int Left, int Right>
__device__ void halve(float (&W)[Steps + 1], const float *Normals, int I) {
  if constexpr (Right - Left > 1) {
    constexpr int At = (Left + Right) / 2;
    W[At] = 0.5f * (W[Left] + W[Right]) +
            Bridge[K].Deviation * Normals[K * Paths + I];
    halve<2 * K, Left, At>(W, Normals, I);
    halve<2 * K + 1, At, Right>(W, Normals, I);
  }
}

__global__ void after(const float *__restrict__ Normals, float Strike,
                      float *__restrict__ Payoff) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float W[Steps + 1];
  W[0] = 0;
  W[Steps] = Normals[I];
  halve<1, 0, Steps>(W, Normals, I);
  float Sum = 0;
#pragma unroll
  for (int K = 1; K <= Steps; ++K)
    Sum += __expf(0.2f * W[K]);
  Payoff[I] = fmaxf(Sum / Steps - Strike, 0.0f);
}

int main() {
  const float *Normals = input<float>(Steps * Paths);
  std::vector<Knot> Order(Steps);
  for (int Level = 0; Level < Levels; ++Level)
    for (int J = 0; J < 1 << Level; ++J) {
      const int Half = Steps >> (Level + 1), At = (2 * J + 1) * Half;
      Order[(1 << Level) + J] = {At, At - Half, At + Half,
                                 std::sqrt(Half / (2.0f * Steps))};
    }
  must(cudaMemcpyToSymbol(Bridge, Order.data(), sizeof(Bridge)));
  float *Expected = output<float>(Paths), *Out = output<float>(Paths);
  Pair P("brownian-bridge-unrolled");
  P.same(Expected, Out, Paths);
  while (P.next())
    if (P.beforesTurn())
      before<<<Paths / 256, 256>>>(Normals, 1.0f, Expected);
    else
      after<<<Paths / 256, 256>>>(Normals, 1.0f, Out);
}

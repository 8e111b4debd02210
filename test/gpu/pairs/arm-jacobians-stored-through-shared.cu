// Rule: cuda-memory-uncoalesced-access
// The Jacobian, six rows of seven joints, of an arm in a quarter of a million
// postures: each thread stores its 42 numbers where they belong, or leaves them
// in shared memory for the block to store together.
#include "Pair.cuh"

constexpr int N = 1 << 18, Joints = 7, Cells = 6 * Joints, Block = 128;

struct Chain {
  float3 Axis[Joints], Origin[Joints], Tip;
};

__device__ float3 sum(float3 A, float S, float3 B, float T) {
  return {A.x * S + B.x * T, A.y * S + B.y * T, A.z * S + B.z * T};
}

__device__ float3 cross(float3 A, float3 B) {
  return {A.y * B.z - A.z * B.y, A.z * B.x - A.x * B.z, A.x * B.y - A.y * B.x};
}

// Each joint turns about z; the next z lies across it, a link further on.
__device__ __forceinline__ Chain chained(const float *Angles, int I) {
  Chain C;
  float3 X = {1, 0, 0}, Y = {0, 1, 0}, Z = {0, 0, 1}, At = {0, 0, 0.34f};
#pragma unroll
  for (int J = 0; J < Joints; ++J) {
    float Sine, Cosine;
    __sincosf(6 * Angles[J * N + I] - 3, &Sine, &Cosine);
    C.Axis[J] = Z;
    C.Origin[J] = At;
    const float3 Turned = sum(X, Cosine, Y, Sine);
    const float3 Across = sum(Y, Cosine, X, -Sine);
    const float Way = J % 2 ? 1 : -1;
    At = sum(sum(At, 1, Turned, 0.08f), 1, Z, 0.2f + 0.02f * J);
    X = Turned;
    Y = {-Way * Z.x, -Way * Z.y, -Way * Z.z};
    Z = {Way * Across.x, Way * Across.y, Way * Across.z};
  }
  C.Tip = sum(At, 1, Z, 0.126f);
  return C;
}

__global__ void before(const float *__restrict__ Angles,
                       float *__restrict__ Jacobian) {
  const int I = blockIdx.x * Block + threadIdx.x;
  const Chain C = chained(Angles, I);
  float *Mine = Jacobian + I * Cells;
#pragma unroll
  for (int J = 0; J < Joints; ++J) {
    const float3 A = C.Axis[J];
    const float3 V = cross(A, sum(C.Tip, 1, C.Origin[J], -1));
    Mine[J] = V.x;
    Mine[Joints + J] = V.y;
    Mine[2 * Joints + J] = V.z;
    Mine[3 * Joints + J] = A.x;
    Mine[4 * Joints + J] = A.y;
    Mine[5 * Joints + J] = A.z;
  }
}

__global__ void after(const float *__restrict__ Angles,
                      float *__restrict__ Jacobian) {
  __shared__ float All[Block * (Cells + 1)];
  const int I = blockIdx.x * Block + threadIdx.x;
  const Chain C = chained(Angles, I);
  float *Mine = All + threadIdx.x * (Cells + 1);
#pragma unroll
  for (int J = 0; J < Joints; ++J) {
    const float3 A = C.Axis[J];
    const float3 V = cross(A, sum(C.Tip, 1, C.Origin[J], -1));
    Mine[J] = V.x;
    Mine[Joints + J] = V.y;
    Mine[2 * Joints + J] = V.z;
    Mine[3 * Joints + J] = A.x;
    Mine[4 * Joints + J] = A.y;
    Mine[5 * Joints + J] = A.z;
  }
  __syncthreads();
  float *Ours = Jacobian + blockIdx.x * Block * Cells;
  for (int K = threadIdx.x; K < Block * Cells; K += Block)
    Ours[K] = All[K / Cells * (Cells + 1) + K % Cells];
}

int main() {
  const float *Angles = input<float>(N * Joints);
  float *Expected = output<float>(N * Cells), *Out = output<float>(N * Cells);
  Pair P("arm-jacobians-stored-through-shared");
  P.same(Expected, Out, N * Cells);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / Block, Block>>>(Angles, Expected);
    else
      after<<<N / Block, Block>>>(Angles, Out);
}

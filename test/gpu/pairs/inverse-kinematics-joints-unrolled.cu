// Rule: cuda-memory-local-array
// Inverse kinematics of a planar arm by the transposed Jacobian, a thread for
// each target: the joints are counted at run time, so that their arrays lie in
// local memory, or the count is a template's and all stays in registers.
#include "Pair.cuh"

constexpr int N = 200000, Arm = 6, MaxJoints = 8, Sweeps = 10;
constexpr float Rate = 0.05f;

__global__ void before(const float2 *__restrict__ Target,
                       const float *__restrict__ Length,
                       float *__restrict__ Out, int Joints) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= N)
    return;
  const float2 T = Target[I];
  float Angle[MaxJoints], X[MaxJoints], Y[MaxJoints];
  for (int J = 0; J < Joints; ++J)
    Angle[J] = 0.3f;
  for (int S = 0; S < Sweeps; ++S) {
    float EndX = 0, EndY = 0, Sum = 0;
    for (int J = 0; J < Joints; ++J) {
      X[J] = EndX;
      Y[J] = EndY;
      Sum += Angle[J];
      EndX += Length[J] * __cosf(Sum);
      EndY += Length[J] * __sinf(Sum);
    }
    const float ErrorX = T.x - EndX, ErrorY = T.y - EndY;
    for (int J = 0; J < Joints; ++J)
      Angle[J] += Rate * ((EndX - X[J]) * ErrorY - (EndY - Y[J]) * ErrorX);
  }
  for (int J = 0; J < Joints; ++J)
    Out[J * N + I] = Angle[J];
}

template <int Joints>
__global__ void after(const float2 *__restrict__ Target,
                      const float *__restrict__ Length,
                      float *__restrict__ Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= N)
    return;
  const float2 T = Target[I];
  float Angle[Joints], X[Joints], Y[Joints];
#pragma unroll
  for (int J = 0; J < Joints; ++J)
    Angle[J] = 0.3f;
  for (int S = 0; S < Sweeps; ++S) {
    float EndX = 0, EndY = 0, Sum = 0;
#pragma unroll
    for (int J = 0; J < Joints; ++J) {
      X[J] = EndX;
      Y[J] = EndY;
      Sum += Angle[J];
      EndX += Length[J] * __cosf(Sum);
      EndY += Length[J] * __sinf(Sum);
    }
    const float ErrorX = T.x - EndX, ErrorY = T.y - EndY;
#pragma unroll
    for (int J = 0; J < Joints; ++J)
      Angle[J] += Rate * ((EndX - X[J]) * ErrorY - (EndY - Y[J]) * ErrorX);
  }
#pragma unroll
  for (int J = 0; J < Joints; ++J)
    Out[J * N + I] = Angle[J];
}

int main() {
  const float2 *Target = (const float2 *)input<float>(2 * N);
  const float *Length =
      onDevice(std::vector<float>{0.5f, 0.45f, 0.4f, 0.3f, 0.25f, 0.2f});
  float *Expected = output<float>(Arm * N), *Out = output<float>(Arm * N);
  Pair P("inverse-kinematics-joints-unrolled");
  P.same(Expected, Out, Arm * N);
  const int Grid = (N + 127) / 128;
  while (P.next())
    if (P.beforesTurn())
      before<<<Grid, 128>>>(Target, Length, Expected, Arm);
    else
      after<Arm><<<Grid, 128>>>(Target, Length, Out);
}

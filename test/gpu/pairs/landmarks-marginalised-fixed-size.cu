// Rule: ?
// Landmarks of a bundle adjustment marginalised into their pose, a thread for
// each: with sizes of pose and landmark that come as arguments the small
// matrices lie in local memory, with constant sizes in registers.
#include "Pair.cuh"

constexpr int N = 1 << 18, Pose = 6, Point = 3;
constexpr int PoseEntries = Pose * (Pose + 1) / 2,
              PointEntries = Point * (Point + 1) / 2;
constexpr float Damping = 3;

__global__ void before(const float *__restrict__ Hessian,
                       const float *__restrict__ Cross,
                       float *__restrict__ Schur, int PoseSize, int PointSize) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Factor[Point * Point], Solved[Pose * Point];
  for (int Row = 0; Row < PointSize; ++Row)
    for (int Column = 0; Column <= Row; ++Column) {
      float Sum = Hessian[(Row * (Row + 1) / 2 + Column) * N + I];
      for (int K = 0; K < Column; ++K)
        Sum -= Factor[Row * PointSize + K] * Factor[Column * PointSize + K];
      Factor[Row * PointSize + Column] =
          Row == Column ? sqrtf(Sum + Damping)
                        : Sum / Factor[Column * PointSize + Column];
    }
  for (int Row = 0; Row < PoseSize; ++Row)
    for (int Column = 0; Column < PointSize; ++Column) {
      float Sum = Cross[(Row * PointSize + Column) * N + I];
      for (int K = 0; K < Column; ++K)
        Sum -= Factor[Column * PointSize + K] * Solved[Row * PointSize + K];
      Solved[Row * PointSize + Column] =
          Sum / Factor[Column * PointSize + Column];
    }
  for (int Row = 0; Row < PoseSize; ++Row)
    for (int Column = 0; Column <= Row; ++Column) {
      float Sum = 0;
      for (int K = 0; K < PointSize; ++K)
        Sum += Solved[Row * PointSize + K] * Solved[Column * PointSize + K];
      Schur[(Row * (Row + 1) / 2 + Column) * N + I] = Sum;
    }
}

__global__ void after(const float *__restrict__ Hessian,
                      const float *__restrict__ Cross,
                      float *__restrict__ Schur) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Factor[Point][Point], Solved[Pose][Point];
#pragma unroll
  for (int Row = 0; Row < Point; ++Row)
#pragma unroll
    for (int Column = 0; Column <= Row; ++Column) {
      float Sum = Hessian[(Row * (Row + 1) / 2 + Column) * N + I];
#pragma unroll
      for (int K = 0; K < Column; ++K)
        Sum -= Factor[Row][K] * Factor[Column][K];
      Factor[Row][Column] =
          Row == Column ? sqrtf(Sum + Damping) : Sum / Factor[Column][Column];
    }
#pragma unroll
  for (int Row = 0; Row < Pose; ++Row)
#pragma unroll
    for (int Column = 0; Column < Point; ++Column) {
      float Sum = Cross[(Row * Point + Column) * N + I];
#pragma unroll
      for (int K = 0; K < Column; ++K)
        Sum -= Factor[Column][K] * Solved[Row][K];
      Solved[Row][Column] = Sum / Factor[Column][Column];
    }
#pragma unroll
  for (int Row = 0; Row < Pose; ++Row)
#pragma unroll
    for (int Column = 0; Column <= Row; ++Column) {
      float Sum = 0;
#pragma unroll
      for (int K = 0; K < Point; ++K)
        Sum += Solved[Row][K] * Solved[Column][K];
      Schur[(Row * (Row + 1) / 2 + Column) * N + I] = Sum;
    }
}

int main() {
  const float *Hessian = input<float>(PointEntries * N),
              *Cross = input<float>(Pose * Point * N);
  float *Expected = output<float>(PoseEntries * N),
        *Out = output<float>(PoseEntries * N);
  Pair P("landmarks-marginalised-fixed-size");
  P.same(Expected, Out, PoseEntries * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 128, 128>>>(Hessian, Cross, Expected, Pose, Point);
    else
      after<<<N / 128, 128>>>(Hessian, Cross, Out);
}

// Rule: cuda-memory-uncoalesced-access
// Continuous ranked probability score of a 24-member ensemble forecast at each
// grid point. The members of a point lie side by side, or each member is a
// plane of its own.
#include "Pair.cuh"

constexpr int Members = 24, Points = 720 * 361;

template <int PointStride, int MemberStride>
__device__ float score(const float *__restrict__ Forecast,
                       const float *__restrict__ Observed, int Point) {
  float F[Members];
#pragma unroll
  for (int M = 0; M < Members; ++M)
    F[M] = Forecast[Point * PointStride + M * MemberStride];
  const float Truth = Observed[Point];
  float Error = 0, Spread = 0;
#pragma unroll
  for (int M = 0; M < Members; ++M) {
    Error += fabsf(F[M] - Truth);
#pragma unroll
    for (int O = 0; O < M; ++O)
      Spread += fabsf(F[M] - F[O]);
  }
  return Error / Members - Spread / (Members * (Members - 1));
}

__global__ void before(const float *Forecast, const float *Observed,
                       float *Scores) {
  const int Point = blockIdx.x * blockDim.x + threadIdx.x;
  if (Point < Points)
    Scores[Point] = score<Members, 1>(Forecast, Observed, Point);
}

__global__ void after(const float *Forecast, const float *Observed,
                      float *Scores) {
  const int Point = blockIdx.x * blockDim.x + threadIdx.x;
  if (Point < Points)
    Scores[Point] = score<1, Points>(Forecast, Observed, Point);
}

int main() {
  constexpr size_t Count = size_t(Points) * Members;
  const float *ByPoint = input<float>(Count);
  const float *ByMember = arranged(ByPoint, Count, Count, [](size_t I) {
    return I % Points * Members + I / Points;
  });
  const float *Observed = input<float>(Points);
  float *Expected = output<float>(Points), *Out = output<float>(Points);
  constexpr int Threads = 192, Blocks = (Points + Threads - 1) / Threads;
  Pair P("ensemble-crps-members-as-planes");
  P.same(Expected, Out, Points);
  while (P.next())
    if (P.beforesTurn())
      before<<<Blocks, Threads>>>(ByPoint, Observed, Expected);
    else
      after<<<Blocks, Threads>>>(ByMember, Observed, Out);
}

// Rule: cuda-memory-atomic-contention
// Lines found in a picture: each of 16384 points votes, for each of 180 angles,
// for the distance of a line. Votes go to global memory from everywhere, or a
// block has an angle of its own and counts in shared memory.
#include "Pair.cuh"

constexpr int Points = 1 << 14, Angles = 180, Bins = 1024;

__device__ int bin(float2 At, float2 Turn) {
  const float Distance = At.x * Turn.x + At.y * Turn.y;
  return min(max(int(Distance * 350.0f + 512.0f), 0), Bins - 1);
}

__global__ void before(const float2 *__restrict__ Point,
                       const float2 *__restrict__ Angle, int *Votes) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x, A = blockIdx.y;
  atomicAdd(&Votes[A * Bins + bin(Point[I], Angle[A])], 1);
}

__global__ void after(const float2 *__restrict__ Point,
                      const float2 *__restrict__ Angle, int *Votes) {
  __shared__ int Count[Bins];
  const int A = blockIdx.x;
  for (int B = threadIdx.x; B < Bins; B += blockDim.x)
    Count[B] = 0;
  __syncthreads();
  const float2 Turn = Angle[A];
  for (int I = threadIdx.x; I < Points; I += blockDim.x)
    atomicAdd(&Count[bin(Point[I], Turn)], 1);
  __syncthreads();
  for (int B = threadIdx.x; B < Bins; B += blockDim.x)
    Votes[A * Bins + B] += Count[B];
}

int main() {
  std::vector<float2> Turns(Angles);
  for (int A = 0; A < Angles; ++A)
    Turns[A] = {std::cos(A * 0.0174533f), std::sin(A * 0.0174533f)};
  const float2 *Angle = onDevice(Turns);
  const float2 *Point = (const float2 *)input<float>(2 * Points);
  int *Expected = output<int>(Angles * Bins), *Out = output<int>(Angles * Bins);
  Pair P("hough-votes-by-angle");
  P.same(Expected, Out, Angles * Bins);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Points / 256, Angles), 256>>>(Point, Angle, Expected);
    else
      after<<<Angles, 1024>>>(Point, Angle, Out);
}

// Rule: cuda-memory-idle-lanes
// A step of waves along many strings: a warp loads 32 points and asks
// neighbouring lanes for theirs, so that 30 lanes have a result; or each lane
// loads three points and has one.
#include "Pair.cuh"

constexpr int N = 30 * (1 << 18);

__device__ float step(float Left, float Here, float Right, float Old) {
  return 2 * Here - Old + 0.2f * (Left - 2 * Here + Right);
}

__global__ void before(const float *__restrict__ Now,
                       const float *__restrict__ Old, float *__restrict__ New) {
  const int Warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int Lane = threadIdx.x % 32, I = Warp * 30 + Lane;
  const float Here = Now[I];
  const float Left = __shfl_up_sync(~0u, Here, 1),
              Right = __shfl_down_sync(~0u, Here, 1);
  if (Lane > 0 && Lane < 31)
    New[I] = step(Left, Here, Right, Old[I]);
}

__global__ void after(const float *__restrict__ Now,
                      const float *__restrict__ Old, float *__restrict__ New) {
  const int I = 1 + blockIdx.x * blockDim.x + threadIdx.x;
  New[I] = step(Now[I - 1], Now[I], Now[I + 1], Old[I]);
}

int main() {
  const float *Now = input<float>(N + 2), *Old = input<float>(N + 66) + 64;
  float *Expected = output<float>(N + 2), *Out = output<float>(N + 2);
  Pair P("string-wave-all-lanes");
  P.same(Expected, Out, N + 2);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 30 / 8, 256>>>(Now, Old, Expected);
    else
      after<<<N / 256, 256>>>(Now, Old, Out);
}

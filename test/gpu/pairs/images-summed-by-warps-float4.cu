// Rule: cuda-memory-scalar-stream
// One image added to another by blocks of one warp: a number each thread, or
// four as a vector in a quarter of the blocks.
#include "Pair.cuh"

constexpr int N = 1 << 22;

__global__ void before(float *Sum, const float *Other,
                       unsigned long long Count) {
  const unsigned long long I = blockDim.x * blockIdx.x + threadIdx.x;
  if (I < Count)
    Sum[I] += Other[I];
}

__global__ void after(float *Sum, const float *Other,
                      unsigned long long Count) {
  const unsigned long long I = 4ull * (blockDim.x * blockIdx.x + threadIdx.x);
  if (I < Count) {
    float4 S = *reinterpret_cast<float4 *>(Sum + I);
    const float4 O = *reinterpret_cast<const float4 *>(Other + I);
    S.x += O.x, S.y += O.y, S.z += O.z, S.w += O.w;
    *reinterpret_cast<float4 *>(Sum + I) = S;
  }
}

int main() {
  const float *Other = input<float>(N);
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("images-summed-by-warps-float4");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 32, 32>>>(Expected, Other, N);
    else
      after<<<N / 4 / 32, 32>>>(Out, Other, N);
}

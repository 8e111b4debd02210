// Rule: cuda-memory-missing-reuse
// The nearest of 256 spheres along each ray of a picture. All lanes read the
// same sphere at once: through L1, or from a copy in shared memory.
#include "Pair.cuh"

constexpr int Wide = 1024, High = 512, Spheres = 256;

__device__ float3 direction() {
  const float X = (blockIdx.x * 32 + threadIdx.x) * (2.0f / Wide) - 1;
  const float Y = (blockIdx.y * 8 + threadIdx.y) * (1.0f / High) - 0.5f;
  const float Scale = rsqrtf(X * X + Y * Y + 1);
  return {X * Scale, Y * Scale, Scale};
}

// W is the square of a sphere's distance less that of its radius.
__device__ float nearer(float4 Sphere, float3 Way, float Far) {
  const float Along = Sphere.x * Way.x + Sphere.y * Way.y + Sphere.z * Way.z;
  const float Inside = Along * Along - Sphere.w;
  return Inside > 0 ? fminf(Far, Along - sqrtf(Inside)) : Far;
}

__global__ void before(const float4 *Sphere, float *Depth) {
  const float3 Way = direction();
  float Far = 100;
  for (int S = 0; S < Spheres; ++S)
    Far = nearer(Sphere[S], Way, Far);
  Depth[(blockIdx.y * 8 + threadIdx.y) * Wide + blockIdx.x * 32 + threadIdx.x] =
      Far;
}

__global__ void after(const float4 *Sphere, float *Depth) {
  __shared__ float4 Mine[Spheres];
  const int T = threadIdx.y * 32 + threadIdx.x;
  Mine[T] = Sphere[T];
  __syncthreads();
  const float3 Way = direction();
  float Far = 100;
  for (int S = 0; S < Spheres; ++S)
    Far = nearer(Mine[S], Way, Far);
  Depth[(blockIdx.y * 8 + threadIdx.y) * Wide + blockIdx.x * 32 + threadIdx.x] =
      Far;
}

int main() {
  std::vector<float> Values = onHost(input<float>(4 * Spheres), 4 * Spheres);
  for (int S = 0; S < Spheres; ++S) {
    float *V = &Values[4 * S];
    V[0] = 20 * V[0] - 10;
    V[1] = 10 * V[1] - 5;
    V[2] = 10 + 10 * V[2];
    V[3] = V[0] * V[0] + V[1] * V[1] + V[2] * V[2] - V[3] * V[3];
  }
  const float *Sphere = onDevice(Values);
  float *Expected = output<float>(Wide * High),
        *Out = output<float>(Wide * High);
  Pair P("spheres-in-shared");
  P.same(Expected, Out, Wide * High);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Wide / 32, High / 8), dim3(32, 8)>>>((const float4 *)Sphere,
                                                         Expected);
    else
      after<<<dim3(Wide / 32, High / 8), dim3(32, 8)>>>((const float4 *)Sphere,
                                                        Out);
}

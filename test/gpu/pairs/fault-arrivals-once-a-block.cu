// Rule: cuda-memory-missing-reuse
// Seismograms of a fault of 96 patches at 512 stations: each sample sums the
// patches' pulses, delayed and scaled by their way to the station. Each thread
// works out ways and radiation itself, or a block does it once, into shared
// memory.
#include "Pair.cuh"

constexpr int Stations = 512, Samples = 1024, Patches = 96;

// When a patch (x, y, depth, slip) is felt at a station, and how much.
__device__ float2 arrival(float4 Patch, float Start, float2 Station) {
  const float X = 60 * (Station.x - Patch.x), Y = 60 * (Station.y - Patch.y);
  const float Z = 4 + 12 * Patch.z;
  const float Square = X * X + Y * Y + Z * Z, Way = sqrtf(Square);
  const float Radiation = (2 * X * Y + 0.5f * Z * Z) / Square;
  const float Damping = expf(-0.01f * Way);
  return {4 * Start + Way / 3.4f, 1e4f * Patch.w * Radiation * Damping / Way};
}

__global__ void before(const float4 *__restrict__ Fault,
                       const float *__restrict__ Start,
                       const float2 *__restrict__ Station,
                       float *__restrict__ Motion) {
  const int T = blockIdx.x * blockDim.x + threadIdx.x;
  const float Time = 0.03f * T;
  const float2 Here = Station[blockIdx.y];
  float Sum = 0;
  for (int P = 0; P < Patches; ++P) {
    const float2 A = arrival(Fault[P], Start[P], Here);
    const float Since = fmaxf(Time - A.x, 0);
    Sum += A.y * Since * __expf(-2.5f * Since);
  }
  Motion[blockIdx.y * Samples + T] = Sum;
}

__global__ void after(const float4 *__restrict__ Fault,
                      const float *__restrict__ Start,
                      const float2 *__restrict__ Station,
                      float *__restrict__ Motion) {
  __shared__ float2 Arrivals[Patches];
  const int T = blockIdx.x * blockDim.x + threadIdx.x;
  const float Time = 0.03f * T;
  if (threadIdx.x < Patches)
    Arrivals[threadIdx.x] = arrival(Fault[threadIdx.x], Start[threadIdx.x],
                                    Station[blockIdx.y]);
  __syncthreads();
  float Sum = 0;
  for (int P = 0; P < Patches; ++P) {
    const float2 A = Arrivals[P];
    const float Since = fmaxf(Time - A.x, 0);
    Sum += A.y * Since * __expf(-2.5f * Since);
  }
  Motion[blockIdx.y * Samples + T] = Sum;
}

int main() {
  const float4 *Fault = (const float4 *)input<float>(4 * Patches);
  const float *Start = input<float>(Patches);
  const float2 *Station = (const float2 *)input<float>(2 * Stations);
  float *Expected = output<float>(Stations * Samples),
        *Out = output<float>(Stations * Samples);
  Pair P("fault-arrivals-once-a-block");
  P.same(Expected, Out, Stations * Samples);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Samples / 256, Stations), 256>>>(Fault, Start, Station,
                                                     Expected);
    else
      after<<<dim3(Samples / 256, Stations), 256>>>(Fault, Start, Station, Out);
}

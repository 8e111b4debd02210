// Rule: ?
// The transverse relaxation rate of each voxel by a weighted straight line
// through the logarithms of its twelve echoes, which lie together: a thread
// loads them one at a time, or four at a time.
#include "Pair.cuh"

constexpr int Voxels = 128 * 128 * 32, Echoes = 12;
constexpr float Spacing = 0.01f;

struct Line {
  float Weight = 0, Time = 0, Square = 0, Signal = 0, Both = 0;

  __device__ void add(float Intensity, int Echo) {
    const float Clipped = fmaxf(Intensity, 1e-3f);
    const float Log = __logf(Clipped), When = Spacing * (Echo + 1);
    const float W = Clipped * Clipped;
    Weight += W;
    Time += W * When;
    Square += W * When * When;
    Signal += W * Log;
    Both += W * When * Log;
  }

  __device__ float rate() const {
    const float Determinant = Weight * Square - Time * Time;
    return -(Weight * Both - Time * Signal) / (Determinant + 1e-3f);
  }
};

__global__ void before(const float *__restrict__ Echo,
                       float *__restrict__ Rate) {
  const int Voxel = blockIdx.x * blockDim.x + threadIdx.x;
  Line Fit;
  for (int E = 0; E < Echoes; ++E)
    Fit.add(Echo[Voxel * Echoes + E], E);
  Rate[Voxel] = Fit.rate();
}

__global__ void after(const float4 *__restrict__ Echo,
                      float *__restrict__ Rate) {
  const int Voxel = blockIdx.x * blockDim.x + threadIdx.x;
  Line Fit;
  for (int E = 0; E < Echoes; E += 4) {
    const float4 Four = Echo[Voxel * (Echoes / 4) + E / 4];
    Fit.add(Four.x, E);
    Fit.add(Four.y, E + 1);
    Fit.add(Four.z, E + 2);
    Fit.add(Four.w, E + 3);
  }
  Rate[Voxel] = Fit.rate();
}

int main() {
  const float *Echo = input<float>(size_t(Voxels) * Echoes);
  float *Expected = output<float>(Voxels), *Out = output<float>(Voxels);
  Pair P("relaxation-times-echoes-by-float4");
  P.same(Expected, Out, Voxels);
  while (P.next())
    if (P.beforesTurn())
      before<<<Voxels / 128, 128>>>(Echo, Expected);
    else
      after<<<Voxels / 128, 128>>>((const float4 *)Echo, Out);
}

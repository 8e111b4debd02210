// Rule: cuda-memory-atomic-contention
// A calorimeter of sixteen layers: each cell's count is calibrated, corrected
// for saturation and leakage and cut; then the energy and the place it weighs
// are added to its cluster's four sums, by four atomics or by one of float4.
// Options: --buffer=Cluster=random,count=1048576,below=32768
#include "Pair.cuh"

constexpr int Side = 256, Layers = 16, Cells = Layers * Side * Side;
constexpr int Clusters = 1 << 15;

// The energy of a cell and the place that it weighs, or zeros.
__device__ float4 weighed(const uint16_t *Count, const float *Pedestal,
                          const float *Gain, int I) {
  const int Layer = I / (Side * Side);
  const float Raw = Count[I] - (60 + 20 * Pedestal[I]);
  // Photons counted by pixels that are busy for a while.
  const float Share = fminf(fmaxf(Raw * 2e-4f, 0), 0.95f);
  const float Photons = -5000 * __logf(1 - Share);
  const float Visible = Photons * (0.8f + 0.4f * Gain[I]) * 0.012f;
  if (Visible < 0.5f)
    return {0, 0, 0, 0};
  // Absorbers are thicker at the back.
  const float Thickness = Layer < 8 ? 1.0f : 1.6f;
  const float Leakage = 1 + 0.002f * __expf(0.3f * Layer);
  const float Energy = Visible * Thickness * Leakage;
  // Layers are staggered by half a cell.
  const float X = (I % Side - Side / 2 + 0.5f * (Layer % 2)) * 0.5f;
  const float Y = (I / Side % Side - Side / 2) * 0.5f;
  const float Z = 150 + 2.4f * Layer + 0.6f * max(Layer - 8, 0);
  // Places as the vertex sees them.
  const float Way = Energy * rsqrtf(X * X + Y * Y + Z * Z);
  return {Energy, Way * X, Way * Y, Way * Z};
}

__global__ void before(const uint16_t *__restrict__ Count,
                       const float *__restrict__ Pedestal,
                       const float *__restrict__ Gain,
                       const int *__restrict__ Cluster,
                       float *__restrict__ Moments) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 W = weighed(Count, Pedestal, Gain, I);
  if (W.x == 0)
    return;
  float *Mine = Moments + 4 * Cluster[I];
  atomicAdd(Mine, W.x);
  atomicAdd(Mine + 1, W.y);
  atomicAdd(Mine + 2, W.z);
  atomicAdd(Mine + 3, W.w);
}

__global__ void after(const uint16_t *__restrict__ Count,
                      const float *__restrict__ Pedestal,
                      const float *__restrict__ Gain,
                      const int *__restrict__ Cluster,
                      float4 *__restrict__ Moments) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 W = weighed(Count, Pedestal, Gain, I);
  if (W.x == 0)
    return;
  atomicAdd(Moments + Cluster[I], W);
}

int main() {
  // The second half, lest counts go with clusters.
  const uint16_t *Count = input<uint16_t>(2 * Cells, 4096) + Cells;
  const float *Both = input<float>(2 * Cells);
  const int *Cluster = input<int>(Cells, Clusters);
  float *Expected = output<float>(4 * Clusters),
        *Out = output<float>(4 * Clusters);
  Pair P("shower-moments-vector-atomic");
  P.same(Expected, Out, 4 * Clusters);
  while (P.next())
    if (P.beforesTurn())
      before<<<Cells / 256, 256>>>(Count, Both, Both + Cells, Cluster,
                                   Expected);
    else
      after<<<Cells / 256, 256>>>(Count, Both, Both + Cells, Cluster,
                                  (float4 *)Out);
}

// Rule: cuda-memory-constant-candidate
// A local planner looks up the highest cost below the footprint of a robot at
// many poses: the points of the footprint, the same for all threads, in global
// or in constant memory.
#include "Pair.cuh"

constexpr int Side = 2048, Poses = 150000, Points = 48;

__constant__ float2 Outline[Points];

__device__ int costAt(const unsigned char *Map, float X, float Y) {
  const int Column = int(floorf(X)), Row = int(floorf(Y));
  const bool Inside = Column >= 0 && Column < Side && Row >= 0 && Row < Side;
  return Inside ? Map[Row * Side + Column] : 254;
}

__global__ void before(const float *__restrict__ Pose,
                       const float2 *__restrict__ Footprint,
                       const unsigned char *__restrict__ Map,
                       unsigned char *__restrict__ Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Poses)
    return;
  const float X = Side * Pose[I], Y = Side * Pose[Poses + I];
  float Sine, Cosine;
  sincosf(6.2831853f * Pose[2 * Poses + I], &Sine, &Cosine);
  int Cost = 0;
  for (int K = 0; K < Points; ++K) {
    const float2 F = Footprint[K];
    Cost = max(Cost, costAt(Map, fmaf(Cosine, F.x, fmaf(-Sine, F.y, X)),
                            fmaf(Sine, F.x, fmaf(Cosine, F.y, Y))));
  }
  Out[I] = Cost;
}

__global__ void after(const float *__restrict__ Pose,
                      const unsigned char *__restrict__ Map,
                      unsigned char *__restrict__ Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Poses)
    return;
  const float X = Side * Pose[I], Y = Side * Pose[Poses + I];
  float Sine, Cosine;
  sincosf(6.2831853f * Pose[2 * Poses + I], &Sine, &Cosine);
  int Cost = 0;
  for (int K = 0; K < Points; ++K) {
    const float2 F = Outline[K];
    Cost = max(Cost, costAt(Map, fmaf(Cosine, F.x, fmaf(-Sine, F.y, X)),
                            fmaf(Sine, F.x, fmaf(Cosine, F.y, Y))));
  }
  Out[I] = Cost;
}

int main() {
  // A rectangle of 24 x 16 cells, its border in steps.
  std::vector<float2> Border(Points);
  for (int K = 0; K < Points; ++K) {
    const int S = K / 12;
    const float Along = (K % 12 + 0.5f) / 12 - 0.5f;
    Border[K] = S % 2 ? make_float2(S == 1 ? 12 : -12, 16 * Along)
                      : make_float2(24 * Along, S == 0 ? -8 : 8);
  }
  const float2 *Footprint = onDevice(Border);
  must(cudaMemcpyToSymbol(Outline, Footprint, sizeof(Outline), 0,
                          cudaMemcpyDeviceToDevice));
  const auto *Map = input<unsigned char>(Side * Side, 253);
  const float *Pose = input<float>(3 * Poses);
  auto *Expected = output<unsigned char>(Poses),
       *Out = output<unsigned char>(Poses);
  Pair P("footprint-points-constant");
  P.same(Expected, Out, Poses);
  while (P.next())
    if (P.beforesTurn())
      before<<<(Poses + 255) / 256, 256>>>(Pose, Footprint, Map, Expected);
    else
      after<<<(Poses + 255) / 256, 256>>>(Pose, Map, Out);
}

// Rule: cuda-memory-gather
// Rays fetch the boxes that they are to be tested against: six floats that may
// lie in two sectors, or eight, two of them unused, as two vectors.
// Options: --buffer=Visit=random,count=2097152,below=262144
#include "Pair.cuh"

constexpr int Nodes = 1 << 18, Tests = 1 << 21;

struct Ray {
  float3 Origin, Inverse;
};

__device__ float entered(Ray R, float3 Low, float3 High) {
  const float X0 = (Low.x - R.Origin.x) * R.Inverse.x,
              X1 = (High.x - R.Origin.x) * R.Inverse.x,
              Y0 = (Low.y - R.Origin.y) * R.Inverse.y,
              Y1 = (High.y - R.Origin.y) * R.Inverse.y,
              Z0 = (Low.z - R.Origin.z) * R.Inverse.z,
              Z1 = (High.z - R.Origin.z) * R.Inverse.z;
  const float In = fmaxf(fmaxf(fminf(X0, X1), fminf(Y0, Y1)), fminf(Z0, Z1));
  const float Out = fminf(fminf(fmaxf(X0, X1), fmaxf(Y0, Y1)), fmaxf(Z0, Z1));
  return In <= Out ? In : 1e6f;
}

__global__ void before(const float *Box, const int *Visit, Ray R, float *Hit) {
  const int I = blockIdx.x * 256 + threadIdx.x;
  const float *B = Box + 6 * Visit[I];
  Hit[I] = entered(R, {B[0], B[1], B[2]}, {B[3], B[4], B[5]});
}

__global__ void after(const float4 *Box, const int *Visit, Ray R, float *Hit) {
  const int I = blockIdx.x * 256 + threadIdx.x;
  const float4 A = Box[2 * Visit[I]], B = Box[2 * Visit[I] + 1];
  Hit[I] = entered(R, {A.x, A.y, A.z}, {A.w, B.x, B.y});
}

int main() {
  const float *Box = input<float>(6 * Nodes);
  const float *Padded = arranged(Box, 6 * Nodes, 8 * Nodes, [](size_t I) {
    return I / 8 * 6 + std::min<size_t>(I % 8, 5);
  });
  const int *Visit = input<int>(Tests, Nodes);
  float *Expected = output<float>(Tests), *Out = output<float>(Tests);
  const Ray R = {{-1, -2, -3}, {0.9f, 0.4f, 0.3f}};
  Pair P("box-tests-padded-nodes");
  P.same(Expected, Out, Tests);
  while (P.next())
    if (P.beforesTurn())
      before<<<Tests / 256, 256>>>(Box, Visit, R, Expected);
    else
      after<<<Tests / 256, 256>>>((const float4 *)Padded, Visit, R, Out);
}

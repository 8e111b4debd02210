// Rule: cuda-memory-scalar-stream
// A laser scan of six million points of three floats moved by a pose: a point a
// thread, in three loads and three stores, or four points in three of float4.
#include "Pair.cuh"

constexpr int N = 6000000;

struct Pose {
  float R[9], T[3];
};

__device__ float3 moved(const Pose &P, float X, float Y, float Z) {
  return make_float3(P.R[0] * X + P.R[1] * Y + P.R[2] * Z + P.T[0],
                     P.R[3] * X + P.R[4] * Y + P.R[5] * Z + P.T[1],
                     P.R[6] * X + P.R[7] * Y + P.R[8] * Z + P.T[2]);
}

__global__ void before(const float *__restrict__ Scan, Pose To,
                       float *__restrict__ Map) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= N)
    return;
  const float3 M = moved(To, Scan[3 * I], Scan[3 * I + 1], Scan[3 * I + 2]);
  Map[3 * I] = M.x;
  Map[3 * I + 1] = M.y;
  Map[3 * I + 2] = M.z;
}

__global__ void after(const float4 *__restrict__ Scan, Pose To,
                      float4 *__restrict__ Map) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= N / 4)
    return;
  const float4 A = Scan[3 * I], B = Scan[3 * I + 1], C = Scan[3 * I + 2];
  const float3 M0 = moved(To, A.x, A.y, A.z), M1 = moved(To, A.w, B.x, B.y),
               M2 = moved(To, B.z, B.w, C.x), M3 = moved(To, C.y, C.z, C.w);
  Map[3 * I] = make_float4(M0.x, M0.y, M0.z, M1.x);
  Map[3 * I + 1] = make_float4(M1.y, M1.z, M2.x, M2.y);
  Map[3 * I + 2] = make_float4(M2.z, M3.x, M3.y, M3.z);
}

int main() {
  const float *Scan = input<float>(3 * N);
  const Pose To = {{0.36f, 0.48f, -0.8f, -0.8f, 0.6f, 0, 0.48f, 0.64f, 0.6f},
                   {12.5f, -3.25f, 0.75f}};
  float *Expected = output<float>(3 * N), *Out = output<float>(3 * N);
  Pair P("scan-registered-by-float4");
  P.same(Expected, Out, 3 * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<(N + 255) / 256, 256>>>(Scan, To, Expected);
    else
      after<<<(N / 4 + 255) / 256, 256>>>((const float4 *)Scan, To,
                                          (float4 *)Out);
}

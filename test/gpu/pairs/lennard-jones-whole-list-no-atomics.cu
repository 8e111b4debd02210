// Rule: cuda-memory-atomic-contention
// Lennard-Jones forces in a crystal of 64000 atoms. A half neighbour list adds
// to both atoms of a pair by atomics; a whole list works each pair out twice
// and each thread writes its own atom only.
#include "Pair.cuh"

constexpr int Side = 40, Atoms = Side * Side * Side;
constexpr int Half = 28, Whole = 56;

/// The shortest way from one image to another, in a periodic box.
__device__ inline float nearest(float D) {
  return D - Side * rintf(D * (1.0f / Side));
}

__device__ inline float3 pairForce(float4 A, float4 B) {
  const float X = nearest(A.x - B.x), Y = nearest(A.y - B.y),
              Z = nearest(A.z - B.z);
  const float Sigma = 0.5f * (A.w + B.w);
  const float InvR2 = 1.0f / (X * X + Y * Y + Z * Z);
  const float S2 = Sigma * Sigma * InvR2, S6 = S2 * S2 * S2;
  const float F = 24.0f * InvR2 * S6 * (2.0f * S6 - 1.0f);
  return make_float3(F * X, F * Y, F * Z);
}

__global__ void before(const float4 *__restrict__ Pos,
                       const int *__restrict__ List, float *Force) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Atoms)
    return;
  const float4 Mine = Pos[I];
  float FX = 0, FY = 0, FZ = 0;
  for (int K = 0; K < Half; ++K) {
    const int J = List[K * Atoms + I];
    const float3 F = pairForce(Mine, Pos[J]);
    FX += F.x;
    FY += F.y;
    FZ += F.z;
    atomicAdd(&Force[3 * J], -F.x);
    atomicAdd(&Force[3 * J + 1], -F.y);
    atomicAdd(&Force[3 * J + 2], -F.z);
  }
  atomicAdd(&Force[3 * I], FX);
  atomicAdd(&Force[3 * I + 1], FY);
  atomicAdd(&Force[3 * I + 2], FZ);
}

__global__ void after(const float4 *__restrict__ Pos,
                      const int *__restrict__ List, float *Force) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Atoms)
    return;
  const float4 Mine = Pos[I];
  float FX = 0, FY = 0, FZ = 0;
  for (int K = 0; K < Whole; ++K) {
    const float3 F = pairForce(Mine, Pos[List[K * Atoms + I]]);
    FX += F.x;
    FY += F.y;
    FZ += F.z;
  }
  Force[3 * I] = FX;
  Force[3 * I + 1] = FY;
  Force[3 * I + 2] = FZ;
}

int main() {
  std::vector<float4> Pos(Atoms);
  std::vector<int> HalfList(Half * Atoms), WholeList(Whole * Atoms);
  for (int I = 0; I < Atoms; ++I) {
    const int X = I % Side, Y = I / Side % Side, Z = I / Side / Side;
    auto Shake = [&](int D) { return mixed(3 * I + D) * 0x1p-32f * 0.08f; };
    Pos[I] = make_float4(X + Shake(0), Y + Shake(1), Z + Shake(2),
                         I % 3 ? 0.86f : 0.9f);
    int H = 0, W = 0;
    for (int D = 0; D < 125; ++D) {
      const int DX = D % 5 - 2, DY = D / 5 % 5 - 2, DZ = D / 25 - 2;
      const int R2 = DX * DX + DY * DY + DZ * DZ;
      if (R2 == 0 || R2 > 5)
        continue;
      const int J =
          ((Z + DZ + Side) % Side * Side + (Y + DY + Side) % Side) * Side +
          (X + DX + Side) % Side;
      WholeList[W++ * Atoms + I] = J;
      if (D > 62)
        HalfList[H++ * Atoms + I] = J;
    }
  }
  const float4 *Positions = onDevice(Pos);
  const int *Halves = onDevice(HalfList), *Wholes = onDevice(WholeList);
  float *Expected = output<float>(3 * Atoms), *Out = output<float>(3 * Atoms);
  Pair P("lennard-jones-whole-list-no-atomics");
  P.same(Expected, Out, 3 * Atoms);
  while (P.next())
    if (P.beforesTurn())
      before<<<(Atoms + 127) / 128, 128>>>(Positions, Halves, Expected);
    else
      after<<<(Atoms + 127) / 128, 128>>>(Positions, Wholes, Out);
}

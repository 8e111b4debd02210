// Rule: cuda-memory-uncoalesced-access
// Contact forces between grains of sand from a list of 12 neighbours each: an
// array of structures of 32 bytes, or, as one is told to, an array for each
// member, though neighbours are gathered.
#include "Pair.cuh"

constexpr int N = 1 << 18, Neighbours = 12, Window = 1 << 14;

struct alignas(16) Grain {
  float X, Y, Z, Radius, U, V, W, Stiffness;
};

__device__ void addContact(const Grain &A, const Grain &B, float3 &Force) {
  const float X = A.X - B.X, Y = A.Y - B.Y, Z = A.Z - B.Z;
  const float Square = X * X + Y * Y + Z * Z + 1e-6f;
  const float Inverse = rsqrtf(Square);
  const float Overlap = A.Radius + B.Radius - Square * Inverse;
  if (Overlap <= 0)
    return;
  const float Closing =
      ((A.U - B.U) * X + (A.V - B.V) * Y + (A.W - B.W) * Z) * Inverse;
  const float Size =
      ((A.Stiffness + B.Stiffness) * Overlap - 0.1f * Closing) * Inverse;
  Force.x += Size * X;
  Force.y += Size * Y;
  Force.z += Size * Z;
}

__global__ void before(const Grain *__restrict__ Grains,
                       const int *__restrict__ Near, float *__restrict__ Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const Grain A = Grains[I];
  float3 Force = {0, 0, 0};
  for (int K = 0; K < Neighbours; ++K) {
    const Grain B = Grains[Near[K * N + I]];
    addContact(A, B, Force);
  }
  Out[I] = Force.x;
  Out[N + I] = Force.y;
  Out[2 * N + I] = Force.z;
}

__device__ Grain grain(const float *__restrict__ Members, int I) {
  return {Members[I],         Members[N + I],     Members[2 * N + I],
          Members[3 * N + I], Members[4 * N + I], Members[5 * N + I],
          Members[6 * N + I], Members[7 * N + I]};
}

__global__ void after(const float *__restrict__ Members,
                      const int *__restrict__ Near, float *__restrict__ Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const Grain A = grain(Members, I);
  float3 Force = {0, 0, 0};
  for (int K = 0; K < Neighbours; ++K) {
    const Grain B = grain(Members, Near[K * N + I]);
    addContact(A, B, Force);
  }
  Out[I] = Force.x;
  Out[N + I] = Force.y;
  Out[2 * N + I] = Force.z;
}

int main() {
  const float *Records = input<float>(8 * N);
  const float *Members = arranged(Records, 8 * N, 8 * N,
                                  [](size_t K) { return K % N * 8 + K / N; });
  // Grains are sorted roughly: neighbours are not far in memory.
  std::vector<int> List(Neighbours * N);
  for (int K = 0; K < Neighbours; ++K)
    for (int I = 0; I < N; ++I) {
      const int Away = int(mixed(K * N + I) % Window) - Window / 2;
      List[K * N + I] = (I + N + (Away ? Away : 1)) % N;
    }
  const int *Near = onDevice(List);
  float *Expected = output<float>(3 * N), *Out = output<float>(3 * N);
  Pair P("granular-contacts-arrays-apart");
  P.same(Expected, Out, 3 * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(reinterpret_cast<const Grain *>(Records), Near,
                               Expected);
    else
      after<<<N / 256, 256>>>(Members, Near, Out);
}

// Rule: cuda-memory-uncoalesced-access
// Red galaxies are selected from a catalogue by colour and flags: records of 64
// bytes of which 16 are wanted, or a column for each of what is wanted. The
// usual "structure of arrays, not array of structures", and what column stores
// of databases are about.
#include "Pair.cuh"

constexpr int N = 3 << 19, Block = 256;

struct Galaxy {
  double Ascension, Declination;
  float U, G, R, I, Z;
  float ErrorU, ErrorG, ErrorR, ErrorI, ErrorZ;
  unsigned Flags;
  float Redshift;
};

__device__ float score(float G, float R, float I, unsigned Flags) {
  const float Gr = G - R, Ri = R - I;
  const float Across = Ri - Gr / 4 - 0.18f,
              Along = 0.7f * Gr + 1.2f * (Ri - 0.18f);
  const bool Clean = (Flags & 0x15) == 0;
  const bool Red = R < 13.1f + Along / 0.3f && fabsf(Across) < 0.2f;
  return Clean && Red ? Along : 0.0f;
}

__global__ void before(const Galaxy *__restrict__ Galaxies,
                       float *__restrict__ Score, int Count) {
  const int I = blockIdx.x * Block + threadIdx.x;
  if (I >= Count)
    return;
  const Galaxy &It = Galaxies[I];
  Score[I] = score(It.G, It.R, It.I, It.Flags);
}

__global__ void after(const float *__restrict__ G, const float *__restrict__ R,
                      const float *__restrict__ Infra,
                      const unsigned *__restrict__ Flags,
                      float *__restrict__ Score, int Count) {
  const int I = blockIdx.x * Block + threadIdx.x;
  if (I < Count)
    Score[I] = score(G[I], R[I], Infra[I], Flags[I]);
}

int main() {
  std::vector<Galaxy> Records(N);
  std::vector<float> G(N), R(N), Infra(N);
  std::vector<unsigned> Flags(N);
  for (size_t K = 0; K < N; ++K) {
    const auto Noise = [K](int Of) {
      return mixed(K * 8 + Of) / 4294967296.0f;
    };
    Galaxy &It = Records[K] = {};
    It.Ascension = 360 * Noise(0);
    It.R = 14 + 5 * Noise(1);
    It.G = It.R + 0.5f + Noise(2);
    It.I = It.R - 0.2f - 0.5f * Noise(3);
    It.Flags = mixed(K * 8 + 4) & mixed(K * 8 + 5) & mixed(K * 8 + 6) & 31;
    G[K] = It.G;
    R[K] = It.R;
    Infra[K] = It.I;
    Flags[K] = It.Flags;
  }
  const Galaxy *Galaxies = onDevice(Records);
  const float *DeviceG = onDevice(G), *DeviceR = onDevice(R),
              *DeviceI = onDevice(Infra);
  const unsigned *DeviceFlags = onDevice(Flags);
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("galaxy-selection-columns-apart");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / Block, Block>>>(Galaxies, Expected, N);
    else
      after<<<N / Block, Block>>>(DeviceG, DeviceR, DeviceI, DeviceFlags, Out,
                                  N);
}

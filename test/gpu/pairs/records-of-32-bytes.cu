// Rule: cuda-memory-uncoalesced-access
// Two of the eight members of particles, by particles or by members.
#include "Pair.cuh"

constexpr int N = 1 << 20;

struct Particle {
  float X, Y, Z, Mass, U, V, W, Charge;
};

__global__ void before(const Particle *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = In[I].Mass * In[I].Charge;
}

__global__ void after(const float *Mass, const float *Charge, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = Mass[I] * Charge[I];
}

int main() {
  const float *In = input<float>(N * 8);
  const float *Mass =
      arranged(In, N * 8, N, [](size_t I) { return I * 8 + 3; });
  const float *Charge =
      arranged(In, N * 8, N, [](size_t I) { return I * 8 + 7; });
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("records-of-32-bytes");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(reinterpret_cast<const Particle *>(In),
                               Expected);
    else
      after<<<N / 256, 256>>>(Mass, Charge, Out);
}

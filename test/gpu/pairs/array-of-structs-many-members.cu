// Rule: cuda-memory-uncoalesced-access
// Records of eight members, all of them read, from DRAM: no byte is moved for
// nobody, but each load touches eight lines and few banks.
#include "Pair.cuh"

constexpr int N = 1 << 22;

struct Body {
  float X, Y, Z, Mass, Dx, Dy, Dz, Charge;
};

__global__ void before(const Body *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const Body &B = In[I];
  Out[I] = B.X * B.Dx + B.Y * B.Dy + B.Z * B.Dz + B.Mass * B.Charge;
}

__global__ void after(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const auto Get = [&](int Member) { return In[Member * N + I]; };
  Out[I] = Get(0) * Get(4) + Get(1) * Get(5) + Get(2) * Get(6) +
           Get(3) * Get(7);
}

int main() {
  const float *In = input<float>(8 * N);
  const float *Split =
      arranged(In, 8 * N, 8 * N, [](size_t I) { return I % N * 8 + I / N; });
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("array-of-structs-many-members");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>((const Body *)In, Expected);
    else
      after<<<N / 256, 256>>>(Split, Out);
}

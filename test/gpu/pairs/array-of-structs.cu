// Rule: cuda-memory-array-of-structs
// One of eight members is read.
#include "Pair.cuh"

constexpr int N = 1 << 22;

struct Particle {
  float X, Y, Z, VX, VY, VZ, Mass, Charge;
};

__global__ void before(const Particle *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = 2 * In[I].Mass;
}

__global__ void after(const float *Mass, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = 2 * Mass[I];
}

int main() {
  const float *In = input<float>(8 * N);
  const float *Mass =
      arranged(In, 8 * N, N, [](size_t I) { return 8 * I + 6; });
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("array-of-structs");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>((const Particle *)In, Expected);
    else
      after<<<N / 256, 256>>>(Mass, Out);
}

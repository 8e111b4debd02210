// Rule: cuda-memory-array-of-structs
// Four floats without an alignment are four loads, with it one.
#include "Pair.cuh"

constexpr int N = 1 << 22;

struct Plain {
  float X, Y, Z, W;
};
struct alignas(16) Aligned {
  float X, Y, Z, W;
};

__global__ void before(const Plain *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const Plain V = In[I];
  Out[I] = V.X * V.Y + V.Z * V.W;
}

__global__ void after(const Aligned *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const Aligned V = In[I];
  Out[I] = V.X * V.Y + V.Z * V.W;
}

int main() {
  const float *In = input<float>(4 * N);
  float *Expected = output<float>(N), *Out = output<float>(N);
  Pair P("array-of-structs-unaligned");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>((const Plain *)In, Expected);
    else
      after<<<N / 256, 256>>>((const Aligned *)In, Out);
}

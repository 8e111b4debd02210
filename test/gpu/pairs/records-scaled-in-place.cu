// Rule: cuda-memory-uncoalesced-access
// Points of three coordinates, moved where they lie: three loads and three
// stores of 12 sectors each, or one array for each coordinate.
#include "Pair.cuh"

constexpr int N = 1 << 22;

struct Point {
  float X, Y, Z;
};

__global__ void before(const Point *In, Point *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const Point P = In[I];
  Out[I] = {2 * P.X + 1, 3 * P.Y - 1, 4 * P.Z + 2};
}

__global__ void after(const float *In, float *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = 2 * In[I] + 1;
  Out[N + I] = 3 * In[N + I] - 1;
  Out[2 * N + I] = 4 * In[2 * N + I] + 2;
}

int main() {
  const float *In = input<float>(3 * N);
  const float *Split =
      arranged(In, 3 * N, 3 * N, [](size_t I) { return I % N * 3 + I / N; });
  float *Expected = output<float>(3 * N), *Out = output<float>(3 * N);
  Pair P("records-scaled-in-place");
  P.same(Expected, Out, 3 * N, [](size_t I) { return I % 3 * N + I / 3; });
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>((const Point *)In, (Point *)Expected);
    else
      after<<<N / 256, 256>>>(Split, Out);
}

// Rule: cuda-memory-constant-candidate
// Points of doubles by the twelve numbers of a camera, from global or constant
// memory: DRAM takes all the time.
#include "Pair.cuh"

constexpr int N = 1 << 22;

__constant__ double Camera[12];

__global__ void before(const double *In, const double *Table, double *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const double X = In[I], Y = In[N + I], Z = In[2 * N + I];
  for (int R = 0; R < 3; ++R)
    Out[R * N + I] = Table[R * 4] * X + Table[R * 4 + 1] * Y +
                     Table[R * 4 + 2] * Z + Table[R * 4 + 3];
}

__global__ void after(const double *In, double *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const double X = In[I], Y = In[N + I], Z = In[2 * N + I];
  for (int R = 0; R < 3; ++R)
    Out[R * N + I] = Camera[R * 4] * X + Camera[R * 4 + 1] * Y +
                     Camera[R * 4 + 2] * Z + Camera[R * 4 + 3];
}

int main() {
  const double *In = input<double>(3 * N), *Table = input<double>(12);
  must(cudaMemcpyToSymbol(Camera, Table, sizeof(Camera), 0,
                          cudaMemcpyDeviceToDevice));
  double *Expected = output<double>(3 * N), *Out = output<double>(3 * N);
  Pair P("camera-matrix-constant");
  P.same(Expected, Out, 3 * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(In, Table, Expected);
    else
      after<<<N / 256, 256>>>(In, Out);
}

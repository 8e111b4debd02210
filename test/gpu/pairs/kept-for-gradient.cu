// Rule: cuda-memory-redundant-round-trip
// What is stored for later is read back at once, or taken from a variable: the
// compiler has it in a register.
#include "Pair.cuh"

constexpr int N = 1 << 21;

__global__ void before(const double *In, double *Kept, double *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  Kept[I] = In[I] * In[I] + 1;
  Out[I] = Kept[I] * (Kept[I] - 0.5);
}

__global__ void after(const double *In, double *Kept, double *Out) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const double X = In[I], Mine = X * X + 1;
  Kept[I] = Mine;
  Out[I] = Mine * (Mine - 0.5);
}

int main() {
  const double *In = input<double>(N);
  double *Expected = output<double>(2 * N), *Out = output<double>(2 * N);
  Pair P("kept-for-gradient");
  P.same(Expected, Out, 2 * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(In, Expected, Expected + N);
    else
      after<<<N / 256, 256>>>(In, Out, Out + N);
}

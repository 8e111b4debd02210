// Rule: cuda-memory-misaligned
// Rows of 1,000 floats behind a header of 12 bytes each, or of 1,024 that
// begin with a line.
#include "Pair.cuh"

constexpr int Rows = 8192, Columns = 1000, Packed = 1003, Pitch = 1024;

__global__ void before(const float *In, float *Out) {
  for (int C = threadIdx.x; C < Columns; C += blockDim.x)
    Out[blockIdx.x * Packed + 3 + C] = 2 * In[blockIdx.x * Packed + 3 + C];
}

__global__ void after(const float *In, float *Out) {
  for (int C = threadIdx.x; C < Columns; C += blockDim.x)
    Out[blockIdx.x * Pitch + C] = 2 * In[blockIdx.x * Pitch + C];
}

int main() {
  const float *In = input<float>(Rows * Packed);
  const float *Aligned =
      arranged(In, Rows * Packed, Rows * Pitch, [](size_t I) {
        return I / Pitch * Packed + std::min<size_t>(I % Pitch + 3, Packed - 1);
      });
  float *Expected = output<float>(Rows * Pitch),
        *Out = output<float>(Rows * Pitch);
  Pair P("misaligned-packed-headers");
  P.same(Expected, Out, Rows * Pitch, [](size_t I) {
    const size_t C = I % Packed;
    return C < 3 || I >= Rows * Packed ? Pitch - 1 : I / Packed * Pitch + C - 3;
  });
  while (P.next())
    if (P.beforesTurn())
      before<<<Rows, 256>>>(In, Expected);
    else
      after<<<Rows, 256>>>(Aligned, Out);
}

// Rule: cuda-memory-block-shape
// A stencil in blocks of 16x16 and of 32x8.
#include "Pair.cuh"

constexpr int N = 2048, Pitch = N + 2;

__global__ void before(const float *In, float *Out) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x + 1;
  const int Y = blockIdx.y * blockDim.y + threadIdx.y + 1;
  Out[Y * Pitch + X] = In[Y * Pitch + X - 1] + In[Y * Pitch + X + 1] +
                       In[(Y - 1) * Pitch + X] + In[(Y + 1) * Pitch + X];
}

__global__ void after(const float *In, float *Out) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x + 1;
  const int Y = blockIdx.y * blockDim.y + threadIdx.y + 1;
  Out[Y * Pitch + X] = In[Y * Pitch + X - 1] + In[Y * Pitch + X + 1] +
                       In[(Y - 1) * Pitch + X] + In[(Y + 1) * Pitch + X];
}

int main() {
  const float *In = input<float>(Pitch * Pitch);
  float *Expected = output<float>(Pitch * Pitch),
        *Out = output<float>(Pitch * Pitch);
  Pair P("block-16x16-stencil");
  P.same(Expected, Out, Pitch * Pitch);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(N / 16, N / 16), dim3(16, 16)>>>(In, Expected);
    else
      after<<<dim3(N / 32, N / 8), dim3(32, 8)>>>(In, Out);
}

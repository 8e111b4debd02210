// Rule: cuda-memory-single-result
// Seven points in three dimensions, a thread per point, or one per column, with
// what lies below and above in registers.
#include "Pair.cuh"

constexpr int N = 256, Deep = 64, Pitch = N + 2, Plane = Pitch * Pitch;

__global__ void before(const float *In, float *Out) {
  const int X = blockIdx.x * 32 + threadIdx.x + 1;
  const int Y = blockIdx.y * 8 + threadIdx.y + 1;
  const int I = (blockIdx.z + 1) * Plane + Y * Pitch + X;
  Out[I] = In[I - Plane] + In[I + Plane] + In[I - Pitch] + In[I + Pitch] +
           In[I - 1] + In[I + 1] - 6 * In[I];
}

__global__ void after(const float *In, float *Out) {
  const int X = blockIdx.x * 32 + threadIdx.x + 1;
  const int Y = blockIdx.y * 8 + threadIdx.y + 1;
  int I = blockIdx.z * 16 * Plane + Y * Pitch + X;
  float Below = In[I], Here = In[I + Plane];
#pragma unroll 4
  for (int Z = 0; Z < 16; ++Z) {
    I += Plane;
    const float Above = In[I + Plane];
    Out[I] = Below + Above + In[I - Pitch] + In[I + Pitch] + In[I - 1] +
             In[I + 1] - 6 * Here;
    Below = Here;
    Here = Above;
  }
}

int main() {
  constexpr int All = Plane * (Deep + 2);
  const float *In = input<float>(All);
  float *Expected = output<float>(All), *Out = output<float>(All);
  Pair P("stencil-3d-columns");
  P.same(Expected, Out, All);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(N / 32, N / 8, Deep), dim3(32, 8)>>>(In, Expected);
    else
      after<<<dim3(N / 32, N / 8, Deep / 16), dim3(32, 8)>>>(In, Out);
}

// Rule: cuda-memory-block-shape
// Transport on a grid of three dimensions, by blocks of 8x8x8 or 64x4x2.
#include "Pair.cuh"

constexpr int NX = 256, NY = 256, NZ = 128;

struct Grid {
  int X, Y, Z;
  float U, V, W;
};

__device__ void transport(const float *In, float *Out, Grid G) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x;
  const int Y = blockIdx.y * blockDim.y + threadIdx.y;
  const int Z = blockIdx.z * blockDim.z + threadIdx.z;
  if (X < 1 || Y < 1 || Z < 1 || X >= G.X - 1 || Y >= G.Y - 1 || Z >= G.Z - 1)
    return;
  const int At = (Z * G.Y + Y) * G.X + X, Plane = G.X * G.Y;
  const float Here = In[At];
  Out[At] = Here - G.U * (Here - In[At - 1]) - G.V * (Here - In[At - G.X]) -
            G.W * (Here - In[At - Plane]) +
            0.01f * (In[At + 1] + In[At + G.X] + In[At + Plane] - 3 * Here);
}

__global__ void before(const float *In, float *Out, Grid G) {
  transport(In, Out, G);
}

__global__ void after(const float *In, float *Out, Grid G) {
  transport(In, Out, G);
}

int main() {
  const Grid G = {NX, NY, NZ, 0.2f, 0.3f, 0.1f};
  const float *In = input<float>(NX * NY * NZ);
  float *Expected = output<float>(NX * NY * NZ),
        *Out = output<float>(NX * NY * NZ);
  Pair P("upwind-3d-block-shape");
  P.same(Expected, Out, NX * NY * NZ);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(NX / 8, NY / 8, NZ / 8), dim3(8, 8, 8)>>>(In, Expected, G);
    else
      after<<<dim3(NX / 64, NY / 4, NZ / 2), dim3(64, 4, 2)>>>(In, Out, G);
}

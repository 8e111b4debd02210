// Rule: cuda-memory-texture
// Columns of a matrix by global memory and by a texture of linear memory: lanes
// far apart do not get nearer.
#include "Pair.cuh"

constexpr int N = 1024, Pitch = N + 32;

__global__ void before(const float *In, float *Out) {
  const int X = blockIdx.x * 32 + threadIdx.x;
  const int Y = blockIdx.y * 8 + threadIdx.y;
  float Sum = 0;
  for (int I = 0; I < 9; ++I)
    Sum += In[X * Pitch + Y + I];
  Out[Y * N + X] = Sum;
}

__global__ void after(cudaTextureObject_t In, float *Out) {
  const int X = blockIdx.x * 32 + threadIdx.x;
  const int Y = blockIdx.y * 8 + threadIdx.y;
  float Sum = 0;
  for (int I = 0; I < 9; ++I)
    Sum += tex1Dfetch<float>(In, X * Pitch + Y + I);
  Out[Y * N + X] = Sum;
}

int main() {
  float *In = input<float>(Pitch * Pitch);
  cudaResourceDesc Resource = {};
  Resource.resType = cudaResourceTypeLinear;
  Resource.res.linear.devPtr = In;
  Resource.res.linear.desc = cudaCreateChannelDesc<float>();
  Resource.res.linear.sizeInBytes = Pitch * Pitch * sizeof(float);
  cudaTextureDesc Description = {};
  cudaTextureObject_t Texture = 0;
  must(cudaCreateTextureObject(&Texture, &Resource, &Description, nullptr));
  float *Expected = output<float>(N * N), *Out = output<float>(N * N);
  Pair P("texture-columns");
  P.same(Expected, Out, N * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(N / 32, N / 8), dim3(32, 8)>>>(In, Expected);
    else
      after<<<dim3(N / 32, N / 8), dim3(32, 8)>>>(Texture, Out);
}

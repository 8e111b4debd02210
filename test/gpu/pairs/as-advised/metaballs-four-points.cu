// Rule: cuda-memory-missing-reuse
// The field of 1024 blobs on a plane: a thread reads each blob for its point.
// As advised, a block brings tiles of the blobs into shared memory, each thread
// one of them, and reads them there.
#include "../Pair.cuh"

constexpr int Side = 512, Blobs = 1024, Tile = 128;

__device__ float share(float4 Blob, float X, float SquareY) {
  const float DX = X - Blob.x;
  const float Near = fmaxf(0, 1 - (DX * DX + SquareY) * Blob.z);
  return Blob.w * Near * Near;
}

__global__ void before(const float4 *Blob, float *Field) {
  const int X = blockIdx.x * 32 + threadIdx.x, Y = blockIdx.y * 4 + threadIdx.y;
  float Sum = 0;
  for (int B = 0; B < Blobs; ++B) {
    const float4 Ball = Blob[B];
    const float DY = Y * (1.0f / Side) - Ball.y;
    Sum += share(Ball, X * (1.0f / Side), DY * DY);
  }
  Field[Y * Side + X] = Sum;
}

__global__ void after(const float4 *Blob, float *Field) {
  __shared__ float4 Part[Tile];
  const int X = blockIdx.x * 32 + threadIdx.x, Y = blockIdx.y * 4 + threadIdx.y;
  const int T = threadIdx.y * 32 + threadIdx.x;
  float Sum = 0;
  for (int First = 0; First < Blobs; First += Tile) {
    Part[T] = Blob[First + T];
    __syncthreads();
    for (int B = 0; B < Tile; ++B) {
      const float4 Ball = Part[B];
      const float DY = Y * (1.0f / Side) - Ball.y;
      Sum += share(Ball, X * (1.0f / Side), DY * DY);
    }
    __syncthreads();
  }
  Field[Y * Side + X] = Sum;
}

int main() {
  const float *Blob = input<float>(4 * Blobs);
  float *Expected = output<float>(Side * Side),
        *Out = output<float>(Side * Side);
  Pair P("metaballs-four-points-as-advised");
  P.same(Expected, Out, Side * Side);
  while (P.next())
    if (P.beforesTurn())
      before<<<dim3(Side / 32, Side / 4), dim3(32, 4)>>>((const float4 *)Blob,
                                                         Expected);
    else
      after<<<dim3(Side / 32, Side / 4), dim3(32, 4)>>>((const float4 *)Blob,
                                                        Out);
}

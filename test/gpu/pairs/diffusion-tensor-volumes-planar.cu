// Rule: cuda-memory-uncoalesced-access
// Diffusion tensors of the brain, fitted to 64 gradient directions: a thread
// per voxel. The remedy stores each direction's volume apart (direction-major)
// instead of all the directions of a voxel side by side.
#include "Pair.cuh"

constexpr int N = 1 << 19, Directions = 64;

__constant__ float Inverse[Directions][6];

__global__ void before(const unsigned short *__restrict__ Signal,
                       float *__restrict__ Tensor) {
  const int Voxel = blockIdx.x * blockDim.x + threadIdx.x;
  float T[6] = {};
  for (int D = 0; D < Directions; ++D) {
    const float Log = __logf(1.0f + Signal[Voxel * Directions + D]);
#pragma unroll
    for (int K = 0; K < 6; ++K)
      T[K] += Inverse[D][K] * Log;
  }
#pragma unroll
  for (int K = 0; K < 6; ++K)
    Tensor[K * N + Voxel] = T[K];
}

__global__ void after(const unsigned short *__restrict__ Signal,
                      float *__restrict__ Tensor) {
  const int Voxel = blockIdx.x * blockDim.x + threadIdx.x;
  float T[6] = {};
  for (int D = 0; D < Directions; ++D) {
    const float Log = __logf(1.0f + Signal[D * N + Voxel]);
#pragma unroll
    for (int K = 0; K < 6; ++K)
      T[K] += Inverse[D][K] * Log;
  }
#pragma unroll
  for (int K = 0; K < 6; ++K)
    Tensor[K * N + Voxel] = T[K];
}

int main() {
  const unsigned short *Voxels = input<unsigned short>(N * Directions, 4096),
                       *Volumes = arranged(
                           Voxels, N * Directions, N * Directions,
                           [](size_t I) { return I % N * Directions + I / N; });
  const float *Matrix = input<float>(Directions * 6);
  must(cudaMemcpyToSymbol(Inverse, Matrix, sizeof(Inverse), 0,
                          cudaMemcpyDeviceToDevice));
  float *Expected = output<float>(6 * N), *Out = output<float>(6 * N);
  Pair P("diffusion-tensor-volumes-planar");
  P.same(Expected, Out, 6 * N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 128, 128>>>(Voxels, Expected);
    else
      after<<<N / 128, 128>>>(Volumes, Out);
}

// Rule: cuda-memory-constant-candidate
// The nearest of 32 centroids for each point of eight dimensions: all threads
// read the same centroid, from global or from constant memory.
#include "Pair.cuh"

constexpr int N = 1 << 20, Dims = 8, K = 32;

__constant__ float Centre[K * Dims];

__global__ void before(const float *Points, const float *Centroids, int Count,
                       int *Label) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float P[Dims];
#pragma unroll
  for (int D = 0; D < Dims; ++D)
    P[D] = Points[D * N + I];
  float Least = 1e30f;
  int Best = 0;
  for (int C = 0; C < Count; ++C) {
    float Sum = 0;
#pragma unroll
    for (int D = 0; D < Dims; ++D) {
      const float Off = P[D] - Centroids[C * Dims + D];
      Sum += Off * Off;
    }
    if (Sum < Least) {
      Least = Sum;
      Best = C;
    }
  }
  Label[I] = Best;
}

__global__ void after(const float *Points, int Count, int *Label) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  float P[Dims];
#pragma unroll
  for (int D = 0; D < Dims; ++D)
    P[D] = Points[D * N + I];
  float Least = 1e30f;
  int Best = 0;
  for (int C = 0; C < Count; ++C) {
    float Sum = 0;
#pragma unroll
    for (int D = 0; D < Dims; ++D) {
      const float Off = P[D] - Centre[C * Dims + D];
      Sum += Off * Off;
    }
    if (Sum < Least) {
      Least = Sum;
      Best = C;
    }
  }
  Label[I] = Best;
}

int main() {
  const float *Points = input<float>(Dims * N + K * Dims),
              *Centroids = Points + Dims * N;
  must(cudaMemcpyToSymbol(Centre, Centroids, sizeof(Centre), 0,
                          cudaMemcpyDeviceToDevice));
  int *Expected = output<int>(N), *Out = output<int>(N);
  Pair P("kmeans-centroids-constant");
  P.same(Expected, Out, N);
  while (P.next())
    if (P.beforesTurn())
      before<<<N / 256, 256>>>(Points, Centroids, K, Expected);
    else
      after<<<N / 256, 256>>>(Points, K, Out);
}
